SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '[(\'2026-03-01\',11),(\'2026-03-02\',12)]';
SET param_p2 = '2026-03-01';
SET param_p3 = '2026-03-03';
SET param_p4 = '[\'00000000-0000-4000-8000-000000000041\']';
SET param_p5 = '2026-03-01';
SET param_p6 = '2026-03-01';
SET param_p7 = '[\'00000000-0000-4000-8000-000000000042\']';
SET param_p8 = '[\'*.example.com\',\'example.org\']';
SET param_p9 = '.example.com';
SET param_p10 = '[\'shop.example.com\']';
SET param_p11 = '2026-03-03';
SET param_p12 = '2026-03-03';
SET param_p13 = '[\'00000000-0000-4000-8000-000000000042\']';
SET param_p14 = '[\'example.org\']';
SET param_p15 = '00000000-0000-4000-8000-000000000001';
SET param_p16 = '[\'2026-03-03\']';
SET param_p17 = '2026-03-03 12:00:00.000';
SET param_p18 = '[7]';
SET param_p19 = '2026-03-01';
SET param_p20 = '2026-03-03';
SET param_p21 = '[\'00000000-0000-4000-8000-000000000041\']';
SET param_p22 = '2026-03-01';
SET param_p23 = '2026-03-01';
SET param_p24 = '[\'00000000-0000-4000-8000-000000000042\']';
SET param_p25 = '[\'*.example.com\',\'example.org\']';
SET param_p26 = '.example.com';
SET param_p27 = '[\'shop.example.com\']';
SET param_p28 = '2026-03-03';
SET param_p29 = '2026-03-03';
SET param_p30 = '[\'00000000-0000-4000-8000-000000000042\']';
SET param_p31 = '[\'example.org\']';
SET param_p32 = '2026-03-01';
SET param_p33 = '00000000-0000-4000-8000-000000000001';
SET param_p34 = '[(\'acme.example\',\'/a\')]';
WITH
  -- Requests that count; of some there may be several rows.
  counted AS (
    SELECT page_id, agent_key, requests, if(status = 0, 0, requests) AS observed, last_at FROM spoor.page_outcomes_daily
    WHERE (
      (site_id = {p0:UUID})
      AND ((day, build) IN {p1:Array(Tuple(Date, UInt64))})
      AND (
        (
          ((((day BETWEEN {p2:Date} AND {p3:Date})) AND (source_id IN {p4:Array(UUID)})))
          OR (
            (
              ((day BETWEEN {p5:Date} AND {p6:Date}))
              AND (source_id IN {p7:Array(UUID)})
              AND (((host IN {p8:Array(String)}) OR (endsWith(host, {p9:String}) AND host NOT IN {p10:Array(String)})))
            )
          )
          OR (
            (((day BETWEEN {p11:Date} AND {p12:Date})) AND (source_id IN {p13:Array(UUID)}) AND (NOT (host IN {p14:Array(String)})))
          )
        )
      )
    )
    UNION ALL
    SELECT page_id, agent_key, requests, if(status = 0, 0, requests) AS observed, at AS last_at
    FROM spoor.requests FINAL
    WHERE (
      (site_id = {p15:UUID})
      AND (day IN {p16:Array(Date)})
      AND (at <= {p17:DateTime64(3, 'UTC')})
      AND (((reading = 0) OR (reading IN {p18:Array(UInt64)})))
      AND (
        (
          ((((day BETWEEN {p19:Date} AND {p20:Date})) AND (source_id IN {p21:Array(UUID)})))
          OR (
            (
              ((day BETWEEN {p22:Date} AND {p23:Date}))
              AND (source_id IN {p24:Array(UUID)})
              AND (((host IN {p25:Array(String)}) OR (endsWith(host, {p26:String}) AND host NOT IN {p27:Array(String)})))
            )
          )
          OR (
            (((day BETWEEN {p28:Date} AND {p29:Date})) AND (source_id IN {p30:Array(UUID)}) AND (NOT (host IN {p31:Array(String)})))
          )
        )
      )
    )
  ),
  -- What the registry says about each agent.
  labels AS (
    SELECT agent_key, crawler_id, purpose, identity, scope
    FROM spoor.agent_labels FINAL
    WHERE registry_version = {p32:String} AND scope != 'ads'
  ),
  -- Those of the pages that have evidence.
  named AS (
    SELECT host, path, cityHash64(host, path) AS page_id
    FROM spoor.pages FINAL
    WHERE site_id = {p33:UUID} AND (host, path) IN {p34:Array(Tuple(String, String))}
  )
SELECT named.host AS host, named.path AS path, sum(counted.requests) AS requests,
  toUInt64(toUnixTimestamp64Milli(max(counted.last_at))) AS last_ms
FROM counted
INNER JOIN named USING (page_id)
INNER JOIN labels USING (agent_key)
GROUP BY host, path
ORDER BY host, path;
