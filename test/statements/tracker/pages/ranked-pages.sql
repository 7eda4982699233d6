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
SET param_p32 = '[\'search\',\'training\']';
SET param_p33 = '2026-03-01';
SET param_p34 = '[101,102]';
SET param_p35 = '00000000-0000-4000-8000-000000000001';
SET param_p36 = '00000000-0000-4000-8000-000000000001';
SET param_p37 = '[101,102]';
SET param_p38 = '[101,102]';
SET param_p39 = '102';
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
  -- The crawler of each agent; empty if the filter hides its purpose.
  agents AS (
    SELECT agent_key, if(purpose IN {p32:Array(String)}, toString(crawler_id), '') AS shown_id
    FROM (
      SELECT agent_key, crawler_id, purpose, identity, scope
      FROM spoor.agent_labels FINAL
      WHERE registry_version = {p33:String} AND scope != 'ads'
    )
  ),
  -- Requests of these pages and of those under redacted paths, by crawler.
  by_crawler AS (
    SELECT page_id, shown_id, sum(counted.requests) AS requests, max(counted.last_at) AS last_at
    FROM counted
    INNER JOIN agents USING (agent_key)
    WHERE counted.page_id IN {p34:Array(UInt64)}
      OR counted.page_id IN (SELECT page_id FROM spoor.pages FINAL WHERE site_id = {p35:UUID} AND path_fidelity = 'redacted')
    GROUP BY page_id, shown_id
  ),
  -- Crawler requests of each page.
  crawled AS (
    SELECT page_id, sumIf(by_crawler.requests, shown_id != '') AS requests, countIf(shown_id != '') AS crawlers,
      toUInt64(toUnixTimestamp64Milli(maxIf(by_crawler.last_at, shown_id != ''))) AS last_at,
      sumIf(by_crawler.requests, shown_id = '') AS hidden
    FROM by_crawler
    GROUP BY page_id
  ),
  -- Host and path of these pages and of redacted ones.
  names AS (
    SELECT page_id, host, path, path_fidelity = 'redacted' AS is_redacted
    FROM spoor.pages FINAL
    WHERE site_id = {p36:UUID} AND (page_id IN {p37:Array(UInt64)} OR path_fidelity = 'redacted')
  )
SELECT toString(names.page_id) AS page_id, names.host AS hostname, names.path AS path, names.is_redacted AS is_redacted,
  requests, crawlers, last_at, hidden, countIf(names.is_redacted AND requests > 0) OVER () AS total_patterns
FROM crawled
INNER JOIN names USING (page_id)
ORDER BY names.page_id IN {p38:Array(UInt64)} DESC, requests DESC, hostname, path
LIMIT {p39:UInt64};
