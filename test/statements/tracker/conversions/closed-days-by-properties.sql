SET param_p0 = '[0]';
SET param_p1 = '[9007199254740991]';
SET param_p2 = 'signup';
SET param_p3 = 'plan';
SET param_p4 = '[\'pro\',\'team\']';
SET param_p5 = 'plan';
SET param_p6 = 'seats';
SET param_p7 = '2';
SET param_p8 = '50';
SET param_p9 = 'trial';
SET param_p10 = 'trial';
SET param_p11 = 'false';
SET param_p12 = '[0]';
SET param_p13 = 'Array(UInt16)';
SET param_p14 = '[]';
SET param_p15 = 'Array(UInt16)';
SET param_p16 = '00000000-0000-4000-8000-000000000001';
SET param_p17 = '[\'2026-03-01\',\'2026-03-02\']';
SET param_p18 = '[11,12]';
SET param_p19 = '2001';
SET param_p20 = '[0]';
SET param_p21 = '[9007199254740991]';
SET param_p22 = 'signup';
SET param_p23 = 'plan';
SET param_p24 = '[\'pro\',\'team\']';
SET param_p25 = 'plan';
SET param_p26 = 'seats';
SET param_p27 = '2';
SET param_p28 = '50';
SET param_p29 = 'trial';
SET param_p30 = 'trial';
SET param_p31 = 'false';
SET param_p32 = '[0]';
SET param_p33 = 'Array(UInt16)';
SET param_p34 = '[]';
SET param_p35 = 'Array(UInt16)';
SET param_p36 = '00000000-0000-4000-8000-000000000001';
SET param_p37 = '[\'2026-03-01\',\'2026-03-02\']';
WITH
  -- The conversions that the events of each session met, and where the session came from.
  session_hits AS (
    SELECT arrayFlatten(arrayMap((page, name, later, prop) -> arrayFilter(
      number -> toUnixTimestamp64Milli(started_at) + later >= {p0:Array(UInt64)}[number + 1] AND toUnixTimestamp64Milli(started_at) + later < {p1:Array(UInt64)}[number + 1],
      if(
        (
          (name = {p2:String})
          AND (((mapContains(prop, {p3:String})) AND (has({p4:Array(String)}, prop[{p5:String}]))))
          AND (ifNull(toInt64OrNull(prop[{p6:String}]) BETWEEN toInt64({p7:String}) AND toInt64({p8:String}), 0))
          AND (((mapContains(prop, {p9:String})) AND (prop[{p10:String}] = {p11:String})))
        ),
        CAST({p12:String}, {p13:String}),
        CAST({p14:String}, {p15:String})
      )
    ), pages, names, offsets, props)) AS hits, pageviews > 0 AS has_pageview, referrer_host, has_click_id, utm_source, utm_medium, utm_campaign, utm_term, utm_content
    FROM spoor.sessions
    WHERE ((site_id = {p16:UUID}) AND (((day IN {p17:Array(Date)}) AND (build IN {p18:Array(UInt64)})))) AND notEmpty(hits)
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
    LIMIT {p19:UInt64} BY number, dimension
  ),
  -- One row for each conversion that an event of a customer's server met.
  server_hits AS (
    SELECT arrayJoin(arrayFilter(
      number -> toUnixTimestamp64Milli(received_at) >= {p20:Array(UInt64)}[number + 1] AND toUnixTimestamp64Milli(received_at) < {p21:Array(UInt64)}[number + 1],
      if(
        (
          (name = {p22:String})
          AND (((mapContains(props, {p23:String})) AND (has({p24:Array(String)}, props[{p25:String}]))))
          AND (ifNull(toInt64OrNull(props[{p26:String}]) BETWEEN toInt64({p27:String}) AND toInt64({p28:String}), 0))
          AND (((mapContains(props, {p29:String})) AND (props[{p30:String}] = {p31:String})))
        ),
        CAST({p32:String}, {p33:String}),
        CAST({p34:String}, {p35:String})
      )
    )) AS number
    FROM spoor.events FINAL
    WHERE ((site_id = {p36:UUID}) AND (day IN {p37:Array(Date)}) AND (stream = 'server') AND (kind != 'pageview') AND (1))
  )
SELECT *
FROM conversion_sources
UNION ALL
SELECT number, '' AS dimension, '' AS identity, toUInt64(0) AS sessions, count() AS events
FROM server_hits
GROUP BY number;
