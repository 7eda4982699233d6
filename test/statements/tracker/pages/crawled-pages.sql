SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '[101,102]';
SET param_p2 = '00000000-0000-4000-8000-000000000001';
SET param_p3 = '[(\'2026-03-01\',11),(\'2026-03-02\',12)]';
SET param_p4 = '2026-03-01';
SET param_p5 = '2026-03-03';
SET param_p6 = '[\'00000000-0000-4000-8000-000000000041\']';
SET param_p7 = '2026-03-01';
SET param_p8 = '2026-03-01';
SET param_p9 = '[\'00000000-0000-4000-8000-000000000042\']';
SET param_p10 = '[\'*.example.com\',\'example.org\']';
SET param_p11 = '.example.com';
SET param_p12 = '[\'shop.example.com\']';
SET param_p13 = '2026-03-03';
SET param_p14 = '2026-03-03';
SET param_p15 = '[\'00000000-0000-4000-8000-000000000042\']';
SET param_p16 = '[\'example.org\']';
SET param_p17 = '00000000-0000-4000-8000-000000000001';
SET param_p18 = '[\'2026-03-03\']';
SET param_p19 = '2026-03-03 12:00:00.000';
SET param_p20 = '[7]';
SET param_p21 = '2026-03-01';
SET param_p22 = '2026-03-03';
SET param_p23 = '[\'00000000-0000-4000-8000-000000000041\']';
SET param_p24 = '2026-03-01';
SET param_p25 = '2026-03-01';
SET param_p26 = '[\'00000000-0000-4000-8000-000000000042\']';
SET param_p27 = '[\'*.example.com\',\'example.org\']';
SET param_p28 = '.example.com';
SET param_p29 = '[\'shop.example.com\']';
SET param_p30 = '2026-03-03';
SET param_p31 = '2026-03-03';
SET param_p32 = '[\'00000000-0000-4000-8000-000000000042\']';
SET param_p33 = '[\'example.org\']';
SET param_p34 = '[101,102]';
SET param_p35 = '00000000-0000-4000-8000-000000000001';
SET param_p36 = '[\'search\',\'training\']';
SET param_p37 = '2026-03-01';
SET param_p38 = '[101,102]';
SET param_p39 = '102';
WITH
  -- These pages and those under redacted paths, with their names.
  names AS (
    SELECT page_id, host, path, path_fidelity
    FROM spoor.pages FINAL
    WHERE site_id = {p0:UUID} AND (page_id IN {p1:Array(UInt64)} OR path_fidelity = 'redacted')
  ),
  -- Requests that count; of some there may be several rows.
  counted AS (
    SELECT page_id, agent_key, requests, if(status = 0, 0, requests) AS observed, last_at FROM spoor.page_outcomes_daily
    WHERE (
      (site_id = {p2:UUID})
      AND ((day, build) IN {p3:Array(Tuple(Date, UInt64))})
      AND (
        (
          ((((day BETWEEN {p4:Date} AND {p5:Date})) AND (source_id IN {p6:Array(UUID)})))
          OR (
            (
              ((day BETWEEN {p7:Date} AND {p8:Date}))
              AND (source_id IN {p9:Array(UUID)})
              AND (((host IN {p10:Array(String)}) OR (endsWith(host, {p11:String}) AND host NOT IN {p12:Array(String)})))
            )
          )
          OR (
            (((day BETWEEN {p13:Date} AND {p14:Date})) AND (source_id IN {p15:Array(UUID)}) AND (NOT (host IN {p16:Array(String)})))
          )
        )
      )
    )
    UNION ALL
    SELECT page_id, agent_key, requests, if(status = 0, 0, requests) AS observed, at AS last_at
    FROM spoor.requests FINAL
    WHERE (
      (site_id = {p17:UUID})
      AND (day IN {p18:Array(Date)})
      AND (at <= {p19:DateTime64(3, 'UTC')})
      AND (((reading = 0) OR (reading IN {p20:Array(UInt64)})))
      AND (
        (
          ((((day BETWEEN {p21:Date} AND {p22:Date})) AND (source_id IN {p23:Array(UUID)})))
          OR (
            (
              ((day BETWEEN {p24:Date} AND {p25:Date}))
              AND (source_id IN {p26:Array(UUID)})
              AND (((host IN {p27:Array(String)}) OR (endsWith(host, {p28:String}) AND host NOT IN {p29:Array(String)})))
            )
          )
          OR (
            (((day BETWEEN {p30:Date} AND {p31:Date})) AND (source_id IN {p32:Array(UUID)}) AND (NOT (host IN {p33:Array(String)})))
          )
        )
      )
    )
  ),
  -- Requests for these pages, by agent.
  of_pages AS (
    SELECT page_id, agent_key, requests, last_at
    FROM counted
    WHERE page_id IN {p34:Array(UInt64)}
      OR page_id IN (SELECT page_id FROM spoor.pages WHERE site_id = {p35:UUID} AND path_fidelity = 'redacted')
  ),
  -- The crawler of each agent, and whether its purpose passes the filter.
  agents AS (
    SELECT agent_key, crawler_id, purpose IN {p36:Array(String)} AS is_shown
    FROM (
      SELECT agent_key, crawler_id, purpose, identity, scope
      FROM spoor.agent_labels FINAL
      WHERE registry_version = {p37:String} AND scope != 'ads'
    )
  ),
  -- What crawlers asked for of each page.
  crawled AS (
    SELECT page_id, sumIf(of_pages.requests, is_shown) AS requests, uniqExactIf(agents.crawler_id, is_shown) AS crawlers,
      toUInt64(
        toUnixTimestamp64Milli(maxIf(of_pages.last_at, is_shown))
      ) AS last_at, sumIf(of_pages.requests, NOT is_shown) AS hidden
    FROM of_pages
    INNER JOIN agents USING (agent_key)
    GROUP BY page_id
  )
SELECT toString(names.page_id) AS page_id, names.host AS hostname, names.path AS path, toString(names.path_fidelity) AS path_fidelity,
  requests, crawlers, last_at, hidden, countIf(
    names.path_fidelity = 'redacted'
    AND requests > 0
  ) OVER () AS total_patterns
FROM crawled
INNER JOIN names USING (page_id)
ORDER BY names.page_id IN {p38:Array(UInt64)} DESC, requests DESC, hostname, path
LIMIT {p39:UInt64};
