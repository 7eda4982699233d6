SET param_p0 = '[[],[0]]';
SET param_p1 = 'Array(Array(UInt16))';
SET param_p2 = '[\'example.com\']';
SET param_p3 = '[\'/pricing\']';
SET param_p4 = '[2]';
SET param_p5 = '[[],[1]]';
SET param_p6 = 'Array(Array(UInt16))';
SET param_p7 = '[\'signup\']';
SET param_p8 = '[2]';
SET param_p9 = '00000000-0000-4000-8000-000000000001';
SET param_p10 = '[\'2026-03-01\',\'2026-03-02\']';
SET param_p11 = '[11,12]';
SET param_p12 = '2001';
SET param_p13 = '[[],[0]]';
SET param_p14 = 'Array(Array(UInt16))';
SET param_p15 = '[\'example.com\']';
SET param_p16 = '[\'/pricing\']';
SET param_p17 = '[2]';
SET param_p18 = '[[],[1]]';
SET param_p19 = 'Array(Array(UInt16))';
SET param_p20 = '[\'signup\']';
SET param_p21 = '[2]';
SET param_p22 = '00000000-0000-4000-8000-000000000001';
SET param_p23 = '[\'2026-03-01\',\'2026-03-02\']';
WITH
  -- The conversions that the events of each session met, and where the session came from.
  session_hits AS (
    SELECT arrayFlatten(arrayMap((page, name, later) -> arrayConcat(
      CAST({p0:String}, {p1:String})[
        transform(
          page,
          arrayMap((host, path) -> cityHash64(host, path), {p2:Array(String)}, {p3:Array(String)}),
          {p4:Array(UInt64)},
          toUInt64(1)
        )
      ],
      CAST({p5:String}, {p6:String})[
        transform(toString(name), {p7:Array(String)}, {p8:Array(UInt64)}, toUInt64(1))
      ]
    ), pages, names, offsets)) AS hits, pageviews > 0 AS has_pageview, referrer_host, has_click_id, utm_source, utm_medium, utm_campaign, utm_term, utm_content
    FROM spoor.sessions
    WHERE ((site_id = {p9:UUID}) AND (((day IN {p10:Array(Date)}) AND (build IN {p11:Array(UInt64)})))) AND notEmpty(hits)
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
    LIMIT {p12:UInt64} BY number, dimension
  ),
  -- One row for each conversion that an event of a customer's server met.
  server_hits AS (
    SELECT arrayJoin(arrayConcat(
      CAST({p13:String}, {p14:String})[
        transform(
          toUInt64(0),
          arrayMap((host, path) -> cityHash64(host, path), {p15:Array(String)}, {p16:Array(String)}),
          {p17:Array(UInt64)},
          toUInt64(1)
        )
      ],
      CAST({p18:String}, {p19:String})[
        transform(toString(name), {p20:Array(String)}, {p21:Array(UInt64)}, toUInt64(1))
      ]
    )) AS number
    FROM spoor.events FINAL
    WHERE ((site_id = {p22:UUID}) AND (day IN {p23:Array(Date)}) AND (stream = 'server') AND (kind != 'pageview') AND (1))
  )
SELECT *
FROM conversion_sources
UNION ALL
SELECT number, '' AS dimension, '' AS identity, toUInt64(0) AS sessions, count() AS events
FROM server_hits
GROUP BY number;
