SET param_p0 = '[0,1772539140000]';
SET param_p1 = '[9007199254740991,1772539200000]';
SET param_p2 = '[[],[0]]';
SET param_p3 = 'Array(Array(UInt16))';
SET param_p4 = '[\'example.com\']';
SET param_p5 = '[\'/pricing\']';
SET param_p6 = '[2]';
SET param_p7 = '[[],[1]]';
SET param_p8 = 'Array(Array(UInt16))';
SET param_p9 = '[\'signup\']';
SET param_p10 = '[2]';
SET param_p11 = ':own';
SET param_p12 = '00000000-0000-4000-8000-000000000001';
SET param_p13 = '[\'2026-03-03\']';
SET param_p14 = '2026-03-03 12:00:00.000';
SET param_p15 = '00000000-0000-4000-8000-000000000001';
SET param_p16 = '[\'2026-03-03\']';
SET param_p17 = '2026-03-03 12:00:00.000';
SET param_p18 = '[0,1772539140000]';
SET param_p19 = '[9007199254740991,1772539200000]';
SET param_p20 = '[[],[0]]';
SET param_p21 = 'Array(Array(UInt16))';
SET param_p22 = '[\'example.com\']';
SET param_p23 = '[\'/pricing\']';
SET param_p24 = '[2]';
SET param_p25 = '[[],[1]]';
SET param_p26 = 'Array(Array(UInt16))';
SET param_p27 = '[\'signup\']';
SET param_p28 = '[2]';
SET param_p29 = '1800000';
SET param_p30 = ':own';
SET param_p31 = '2001';
SET param_p32 = '[0,1772539140000]';
SET param_p33 = '[9007199254740991,1772539200000]';
SET param_p34 = '[[],[0]]';
SET param_p35 = 'Array(Array(UInt16))';
SET param_p36 = '[\'example.com\']';
SET param_p37 = '[\'/pricing\']';
SET param_p38 = '[2]';
SET param_p39 = '[[],[1]]';
SET param_p40 = 'Array(Array(UInt16))';
SET param_p41 = '[\'signup\']';
SET param_p42 = '[2]';
SET param_p43 = '00000000-0000-4000-8000-000000000001';
SET param_p44 = '[\'2026-03-03\']';
SET param_p45 = '2026-03-03 12:00:00.000';
WITH
  -- Events of visitors on the days that are read from facts, each once.
  visitor_events AS (
    SELECT day, visitor, received_at, seq, kind = 'pageview' AS is_pageview, arrayFilter(
      number -> toUnixTimestamp64Milli(received_at) >= {p0:Array(UInt64)}[number + 1] AND toUnixTimestamp64Milli(received_at) < {p1:Array(UInt64)}[number + 1],
      arrayConcat(
        CAST({p2:String}, {p3:String})[
          transform(
            if(kind = 'pageview', page_id, 0),
            arrayMap((host, path) -> cityHash64(host, path), {p4:Array(String)}, {p5:Array(String)}),
            {p6:Array(UInt64)},
            toUInt64(1)
          )
        ],
        CAST({p7:String}, {p8:String})[
          transform(toString(if(kind = 'pageview', '', name)), {p9:Array(String)}, {p10:Array(UInt64)}, toUInt64(1))
        ]
      )
    ) AS hits, multiIf(
      (
        has_click_id OR utm_source != '' OR utm_medium != '' OR utm_campaign != '' OR utm_term != '' OR utm_content != ''
      ), toJSONString(tuple(referrer_host, has_click_id, utm_source, utm_medium, utm_campaign, utm_term, utm_content)),
      referrer_host IN ('', {p11:String}), toString(referrer_host),
      toJSONString(tuple(referrer_host, has_click_id, utm_source, utm_medium, utm_campaign, utm_term, utm_content))
    ) AS packed_origin
    FROM spoor.events FINAL
    WHERE (
      (site_id = {p12:UUID})
      AND (day IN {p13:Array(Date)})
      AND (stream = 'browser')
      AND (received_at <= {p14:DateTime64(3, 'UTC')})
    )
      AND visitor IN (
        SELECT visitor
        FROM spoor.events
        WHERE (
          (site_id = {p15:UUID})
          AND (day IN {p16:Array(Date)})
          AND (stream = 'browser')
          AND (received_at <= {p17:DateTime64(3, 'UTC')})
        ) AND notEmpty(arrayFilter(
          number -> toUnixTimestamp64Milli(received_at) >= {p18:Array(UInt64)}[number + 1] AND toUnixTimestamp64Milli(received_at) < {p19:Array(UInt64)}[number + 1],
          arrayConcat(
            CAST({p20:String}, {p21:String})[
              transform(
                if(kind = 'pageview', page_id, 0),
                arrayMap((host, path) -> cityHash64(host, path), {p22:Array(String)}, {p23:Array(String)}),
                {p24:Array(UInt64)},
                toUInt64(1)
              )
            ],
            CAST({p25:String}, {p26:String})[
              transform(toString(if(kind = 'pageview', '', name)), {p27:Array(String)}, {p28:Array(UInt64)}, toUInt64(1))
            ]
          )
        ))
      )
  ),
  -- One row for each visitor and UTC day, with the visitor's events in order of receipt.
  visits AS (
    SELECT day, visitor, arraySort(
      groupArray(
        (received_at, seq, is_pageview, hits, packed_origin)::Tuple(
          received_at DateTime64(3, 'UTC'),
          seq UInt64,
          is_pageview UInt8,
          hits Array(UInt16),
          packed_origin String
        )
      )
    ) AS visit_events
    FROM visitor_events
    GROUP BY day, visitor
  ),
  -- The same, cut into sessions where no event came for 30 minutes.
  split_visits AS (
    SELECT day, visitor,
      arraySplit(
        (event, silence) -> silence >= {p29:UInt64},
        visit_events,
        arrayDifference(arrayMap(event -> toUnixTimestamp64Milli(event.received_at), visit_events))
      ) AS parts
    FROM visits
  ),
  -- One row for each session, numbered from 1 within visitor and day.
  sessions AS (
    SELECT day, visitor, session, session_events
    FROM split_visits
    ARRAY JOIN parts AS session_events, arrayEnumerate(parts) AS session
  ),
  -- The conversions that the events of each session met, and what its first pageview says about where it came from.
  packed_hits AS (
    SELECT arrayFlatten(arrayMap(event -> event.hits, session_events)) AS hits,
      arrayExists(event -> event.is_pageview, session_events) AS has_pageview,
      arrayFirst(event -> event.is_pageview, session_events).packed_origin AS packed_origin
    FROM sessions
    WHERE notEmpty(hits)
  ),
  -- The same with all that the pageview says as columns.
  session_hits AS (
    SELECT hits, has_pageview,
      JSONExtract(
        packed_origin,
        'Tuple(referrer_host String, has_click_id Bool, utm_source String, utm_medium String, utm_campaign String, utm_term String, utm_content String)'
      ) AS acquired,
      if(
        packed_origin = {p30:String},
        packed_origin,
        acquired.referrer_host
      ) AS referrer_host, acquired.has_click_id AS has_click_id,
      acquired.utm_source AS utm_source, acquired.utm_medium AS utm_medium, acquired.utm_campaign AS utm_campaign,
      acquired.utm_term AS utm_term, acquired.utm_content AS utm_content
    FROM packed_hits
  ),
  -- One row for each conversion that a session met and each source of the session; the empty source is the total.
  converted_sources AS (
    SELECT number, countEqual(hits, number) AS times,
      arrayJoin(arrayPushFront(arrayFilter(source -> source.identity != '', [
        ('origin',
          toJSONString((
            toString(referrer_host), has_click_id, toString(utm_source), toString(utm_medium), (
              utm_source != '' OR utm_medium != '' OR utm_campaign != '' OR utm_term != '' OR utm_content != ''
            ) = 1, has_pageview = 1
          ))), ('utm_source', toString(utm_source)), ('utm_medium', toString(utm_medium)),
        ('utm_campaign', toString(utm_campaign)), ('utm_term', toString(utm_term)), ('utm_content', toString(utm_content))
      ]::Array(Tuple(dimension String, identity String))), ('', '')::Tuple(dimension String, identity String))) AS source
    FROM session_hits
    ARRAY JOIN arrayDistinct(hits) AS number
  ),
  -- Sessions with at least one event of a conversion, in total and by where they came from.
  conversion_sources AS (
    SELECT number, source.dimension AS dimension, source.identity AS identity, count() AS sessions, sum(times) AS events
    FROM converted_sources
    GROUP BY number, source
    ORDER BY sessions DESC, identity
    LIMIT {p31:UInt64} BY number, dimension
  ),
  -- One row for each conversion that an event of a customer's server met.
  server_hits AS (
    SELECT arrayJoin(arrayFilter(
      number -> toUnixTimestamp64Milli(received_at) >= {p32:Array(UInt64)}[number + 1] AND toUnixTimestamp64Milli(received_at) < {p33:Array(UInt64)}[number + 1],
      arrayConcat(
        CAST({p34:String}, {p35:String})[
          transform(
            toUInt64(0),
            arrayMap((host, path) -> cityHash64(host, path), {p36:Array(String)}, {p37:Array(String)}),
            {p38:Array(UInt64)},
            toUInt64(1)
          )
        ],
        CAST({p39:String}, {p40:String})[
          transform(toString(name), {p41:Array(String)}, {p42:Array(UInt64)}, toUInt64(1))
        ]
      )
    )) AS number
    FROM spoor.events FINAL
    WHERE (
      (site_id = {p43:UUID})
      AND (day IN {p44:Array(Date)})
      AND (stream = 'server')
      AND (kind != 'pageview')
      AND (received_at <= {p45:DateTime64(3, 'UTC')})
    )
  )
SELECT *
FROM conversion_sources
UNION ALL
SELECT number, '' AS dimension, '' AS identity, toUInt64(0) AS sessions, count() AS events
FROM server_hits
GROUP BY number;
