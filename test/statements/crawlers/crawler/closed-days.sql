SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '[(\'2026-03-01\',11),(\'2026-03-02\',12)]';
SET param_p2 = '2026-03-01';
SET param_p3 = '2026-03-03';
SET param_p4 = '[\'00000000-0000-4000-8000-000000000041\']';
SET param_p5 = '00000000-0000-4000-8000-000000000001';
SET param_p6 = '[(\'2026-03-01\',11),(\'2026-03-02\',12)]';
SET param_p7 = '2026-03-01';
SET param_p8 = '2026-03-03';
SET param_p9 = '[\'00000000-0000-4000-8000-000000000041\']';
SET param_p10 = '2026-03-01';
SET param_p11 = 'gptbot';
SET param_p12 = '50';
SET param_p13 = '00000000-0000-4000-8000-000000000001';
SET param_p14 = '50';
WITH
  -- Requests that count; of some there may be several rows.
  counted AS (
    SELECT day, agent_key, status, path_class, requests FROM spoor.crawler_daily
    WHERE (
      (site_id = {p0:UUID})
      AND ((day, build) IN {p1:Array(Tuple(Date, UInt64))})
      AND (((((day BETWEEN {p2:Date} AND {p3:Date})) AND (source_id IN {p4:Array(UUID)}))))
    )
  ),
  -- Requests that count; of some there may be several rows.
  outcomes AS (
    SELECT page_id, agent_key, status, requests, first_at, last_at FROM spoor.page_outcomes_daily
    WHERE (
      (site_id = {p5:UUID})
      AND ((day, build) IN {p6:Array(Tuple(Date, UInt64))})
      AND (((((day BETWEEN {p7:Date} AND {p8:Date})) AND (source_id IN {p9:Array(UUID)}))))
    )
  ),
  -- The agents that the registry assigns to this crawler, with the identity by their proof.
  own_agents AS (
    SELECT agent_key, identity
    FROM (
      SELECT agent_key, crawler_id, purpose, identity, scope
      FROM spoor.agent_labels FINAL
      WHERE registry_version = {p10:String} AND scope != 'ads'
    )
    WHERE crawler_id = {p11:String}
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
    LIMIT {p12:UInt64} WITH TIES
  ),
  -- As many of these pages as the answer lists, with their names.
  named AS (
    SELECT pages.host AS host, pages.path AS path, toString(pages.path_fidelity) AS path_fidelity,
      toString(pages.path_class) AS path_class, statuses, counts, page_requests, total_pages
    FROM spoor.pages AS pages FINAL
    INNER JOIN top USING (page_id)
    WHERE pages.site_id = {p13:UUID} AND 1
    ORDER BY page_requests DESC, host, path
    LIMIT {p14:UInt64}
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
