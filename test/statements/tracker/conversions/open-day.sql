SET param_p0 = '[[],[0]]';
SET param_p1 = 'Array(Array(UInt16))';
SET param_p2 = '[\'example.com\']';
SET param_p3 = '[\'/pricing\']';
SET param_p4 = '[2]';
SET param_p5 = '[[],[1]]';
SET param_p6 = 'Array(Array(UInt16))';
SET param_p7 = '[\'signup\']';
SET param_p8 = '[2]';
SET param_p9 = ':own';
SET param_p10 = '00000000-0000-4000-8000-000000000001';
SET param_p11 = '[\'2026-03-03\']';
SET param_p12 = '2026-03-03 12:00:00.000';
SET param_p13 = '00000000-0000-4000-8000-000000000001';
SET param_p14 = '[\'2026-03-03\']';
SET param_p15 = '2026-03-03 12:00:00.000';
SET param_p16 = '[[],[0]]';
SET param_p17 = 'Array(Array(UInt16))';
SET param_p18 = '[\'example.com\']';
SET param_p19 = '[\'/pricing\']';
SET param_p20 = '[2]';
SET param_p21 = '[[],[1]]';
SET param_p22 = 'Array(Array(UInt16))';
SET param_p23 = '[\'signup\']';
SET param_p24 = '[2]';
SET param_p25 = '1800000';
SET param_p26 = ':own';
SET param_p27 = '2001';
SET param_p28 = '[[],[0]]';
SET param_p29 = 'Array(Array(UInt16))';
SET param_p30 = '[\'example.com\']';
SET param_p31 = '[\'/pricing\']';
SET param_p32 = '[2]';
SET param_p33 = '[[],[1]]';
SET param_p34 = 'Array(Array(UInt16))';
SET param_p35 = '[\'signup\']';
SET param_p36 = '[2]';
SET param_p37 = '00000000-0000-4000-8000-000000000001';
SET param_p38 = '[\'2026-03-03\']';
SET param_p39 = '2026-03-03 12:00:00.000';
WITH
  -- Events of visitors on the days that are read from facts, each once.
  visitor_events AS (
    SELECT day, visitor, received_at, seq, kind = 'pageview' AS is_pageview, arrayConcat(
      CAST({p0:String}, {p1:String})[
        transform(
          if(kind = 'pageview', page_id, 0),
          arrayMap((host, path) -> cityHash64(host, path), {p2:Array(String)}, {p3:Array(String)}),
          {p4:Array(UInt64)},
          toUInt64(1)
        )
      ],
      CAST({p5:String}, {p6:String})[
        transform(toString(if(kind = 'pageview', '', name)), {p7:Array(String)}, {p8:Array(UInt64)}, toUInt64(1))
      ]
    ) AS hits, multiIf(
      (
        has_click_id OR utm_source != '' OR utm_medium != '' OR utm_campaign != '' OR utm_term != '' OR utm_content != ''
      ), toJSONString(tuple(referrer_host, has_click_id, utm_source, utm_medium, utm_campaign, utm_term, utm_content)),
      referrer_host IN ('', {p9:String}), toString(referrer_host),
      toJSONString(tuple(referrer_host, has_click_id, utm_source, utm_medium, utm_campaign, utm_term, utm_content))
    ) AS packed_origin
    FROM spoor.events FINAL
    WHERE (
      (site_id = {p10:UUID})
      AND (day IN {p11:Array(Date)})
      AND (stream = 'browser')
      AND (received_at <= {p12:DateTime64(3, 'UTC')})
    )
      AND visitor IN (
        SELECT visitor
        FROM spoor.events
        WHERE (
          (site_id = {p13:UUID})
          AND (day IN {p14:Array(Date)})
          AND (stream = 'browser')
          AND (received_at <= {p15:DateTime64(3, 'UTC')})
        ) AND notEmpty(arrayConcat(
          CAST({p16:String}, {p17:String})[
            transform(
              if(kind = 'pageview', page_id, 0),
              arrayMap((host, path) -> cityHash64(host, path), {p18:Array(String)}, {p19:Array(String)}),
              {p20:Array(UInt64)},
              toUInt64(1)
            )
          ],
          CAST({p21:String}, {p22:String})[
            transform(toString(if(kind = 'pageview', '', name)), {p23:Array(String)}, {p24:Array(UInt64)}, toUInt64(1))
          ]
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
        (event, silence) -> silence >= {p25:UInt64},
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
        packed_origin = {p26:String},
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
    LIMIT {p27:UInt64} BY number, dimension
  ),
  -- One row for each conversion that an event of a customer's server met.
  server_hits AS (
    SELECT arrayJoin(arrayConcat(
      CAST({p28:String}, {p29:String})[
        transform(
          toUInt64(0),
          arrayMap((host, path) -> cityHash64(host, path), {p30:Array(String)}, {p31:Array(String)}),
          {p32:Array(UInt64)},
          toUInt64(1)
        )
      ],
      CAST({p33:String}, {p34:String})[
        transform(toString(name), {p35:Array(String)}, {p36:Array(UInt64)}, toUInt64(1))
      ]
    )) AS number
    FROM spoor.events FINAL
    WHERE (
      (site_id = {p37:UUID})
      AND (day IN {p38:Array(Date)})
      AND (stream = 'server')
      AND (kind != 'pageview')
      AND (received_at <= {p39:DateTime64(3, 'UTC')})
    )
  )
SELECT *
FROM conversion_sources
UNION ALL
SELECT number, '' AS dimension, '' AS identity, toUInt64(0) AS sessions, count() AS events
FROM server_hits
GROUP BY number;
