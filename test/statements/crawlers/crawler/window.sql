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
SET param_p32 = '00000000-0000-4000-8000-000000000001';
SET param_p33 = '[(\'2026-03-01\',11),(\'2026-03-02\',12)]';
SET param_p34 = '2026-03-01';
SET param_p35 = '2026-03-03';
SET param_p36 = '[\'00000000-0000-4000-8000-000000000041\']';
SET param_p37 = '2026-03-01';
SET param_p38 = '2026-03-01';
SET param_p39 = '[\'00000000-0000-4000-8000-000000000042\']';
SET param_p40 = '[\'*.example.com\',\'example.org\']';
SET param_p41 = '.example.com';
SET param_p42 = '[\'shop.example.com\']';
SET param_p43 = '2026-03-03';
SET param_p44 = '2026-03-03';
SET param_p45 = '[\'00000000-0000-4000-8000-000000000042\']';
SET param_p46 = '[\'example.org\']';
SET param_p47 = '00000000-0000-4000-8000-000000000001';
SET param_p48 = '[\'2026-03-03\']';
SET param_p49 = '2026-03-03 12:00:00.000';
SET param_p50 = '[7]';
SET param_p51 = '2026-03-01';
SET param_p52 = '2026-03-03';
SET param_p53 = '[\'00000000-0000-4000-8000-000000000041\']';
SET param_p54 = '2026-03-01';
SET param_p55 = '2026-03-01';
SET param_p56 = '[\'00000000-0000-4000-8000-000000000042\']';
SET param_p57 = '[\'*.example.com\',\'example.org\']';
SET param_p58 = '.example.com';
SET param_p59 = '[\'shop.example.com\']';
SET param_p60 = '2026-03-03';
SET param_p61 = '2026-03-03';
SET param_p62 = '[\'00000000-0000-4000-8000-000000000042\']';
SET param_p63 = '[\'example.org\']';
SET param_p64 = '2026-03-01';
SET param_p65 = 'gptbot';
SET param_p66 = '50';
SET param_p67 = '00000000-0000-4000-8000-000000000001';
SET param_p68 = '50';
WITH
  -- Requests that count; of some there may be several rows.
  counted AS (
    SELECT day, agent_key, status, path_class, requests FROM spoor.crawler_daily
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
    SELECT day, agent_key, status, path_class, requests
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
  -- Requests that count; of some there may be several rows.
  outcomes AS (
    SELECT page_id, agent_key, status, requests, first_at, last_at FROM spoor.page_outcomes_daily
    WHERE (
      (site_id = {p32:UUID})
      AND ((day, build) IN {p33:Array(Tuple(Date, UInt64))})
      AND (
        (
          ((((day BETWEEN {p34:Date} AND {p35:Date})) AND (source_id IN {p36:Array(UUID)})))
          OR (
            (
              ((day BETWEEN {p37:Date} AND {p38:Date}))
              AND (source_id IN {p39:Array(UUID)})
              AND (((host IN {p40:Array(String)}) OR (endsWith(host, {p41:String}) AND host NOT IN {p42:Array(String)})))
            )
          )
          OR (
            (((day BETWEEN {p43:Date} AND {p44:Date})) AND (source_id IN {p45:Array(UUID)}) AND (NOT (host IN {p46:Array(String)})))
          )
        )
      )
    )
    UNION ALL
    SELECT page_id, agent_key, status, requests, at AS first_at, at AS last_at
    FROM spoor.requests FINAL
    WHERE (
      (site_id = {p47:UUID})
      AND (day IN {p48:Array(Date)})
      AND (at <= {p49:DateTime64(3, 'UTC')})
      AND (((reading = 0) OR (reading IN {p50:Array(UInt64)})))
      AND (
        (
          ((((day BETWEEN {p51:Date} AND {p52:Date})) AND (source_id IN {p53:Array(UUID)})))
          OR (
            (
              ((day BETWEEN {p54:Date} AND {p55:Date}))
              AND (source_id IN {p56:Array(UUID)})
              AND (((host IN {p57:Array(String)}) OR (endsWith(host, {p58:String}) AND host NOT IN {p59:Array(String)})))
            )
          )
          OR (
            (((day BETWEEN {p60:Date} AND {p61:Date})) AND (source_id IN {p62:Array(UUID)}) AND (NOT (host IN {p63:Array(String)})))
          )
        )
      )
    )
  ),
  -- The agents that the registry assigns to this crawler, with the identity by their proof.
  own_agents AS (
    SELECT agent_key, identity
    FROM (
      SELECT agent_key, crawler_id, purpose, identity, scope
      FROM spoor.agent_labels FINAL
      WHERE registry_version = {p64:String} AND scope != 'ads'
    )
    WHERE crawler_id = {p65:String}
  ),
  -- Requests by day, by status and by identity.
  totals AS (
    SELECT multiIf(grouping(day) = 0, 'daily', grouping(status) = 0, 'status', 'identity') AS part,
      toString(day) AS date, status, toString(identity) AS identity, sum(requests) AS requests
    FROM counted
    INNER JOIN own_agents USING (agent_key)
    GROUP BY GROUPING SETS ((day), (status), (identity))
  ),
  -- Requests by page and status.
  page_statuses AS (
    SELECT page_id, status, sum(requests) AS requests
    FROM outcomes
    INNER JOIN own_agents USING (agent_key)
    WHERE 1
    GROUP BY page_id, status
  ),
  -- The pages with the most requests, ties included.
  top AS (
    SELECT page_id, sum(requests) AS page_requests, groupArray(status) AS statuses, groupArray(requests) AS counts,
      count() OVER () AS total_pages
    FROM page_statuses
    GROUP BY page_id
    ORDER BY page_requests DESC
    LIMIT {p66:UInt64} WITH TIES
  ),
  -- As many of these pages as the answer lists, with their names.
  named AS (
    SELECT pages.host AS host, pages.path AS path, toString(pages.path_fidelity) AS path_fidelity,
      toString(pages.path_class) AS path_class, statuses, counts, page_requests, total_pages
    FROM spoor.pages AS pages FINAL
    INNER JOIN top USING (page_id)
    WHERE pages.site_id = {p67:UUID} AND 1
    ORDER BY page_requests DESC, host, path
    LIMIT {p68:UInt64}
  )
SELECT * FROM (
  SELECT part, date, status, identity, '' AS host, '' AS path, 'exact' AS path_fidelity, 'content' AS path_class,
    requests, toUInt64(0) AS page_requests, toUInt64(0) AS total_pages
  FROM totals
  UNION ALL
  SELECT 'page' AS part, '' AS date, of_status AS status, '' AS identity, toString(host) AS host, path, path_fidelity, path_class,
    of_requests AS requests, page_requests, total_pages
  FROM named
  ARRAY JOIN statuses AS of_status, counts AS of_requests
)
ORDER BY part, date, status = 0, identity, page_requests DESC, host, path, status;
