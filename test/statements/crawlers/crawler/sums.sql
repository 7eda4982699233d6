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
SET param_p12 = '250001';
SET param_p13 = '250000';
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
    GROUP BY page_id, status
  ),
  -- Requests by page, with its statuses.
  sums AS (
    SELECT page_id, sum(page_statuses.requests) AS requests, sumIf(page_statuses.requests, status != 0) AS observed,
      arraySort(groupArray((status, toFloat64(page_statuses.requests)))) AS by_status
    FROM page_statuses
    GROUP BY page_id
  ),
  -- All pages as one list.
  lists AS (
    SELECT sum(sums.requests) AS all_requests, count() AS all_pages,
      arraySort(page -> page.id, groupArray({p12:UInt64})(CAST((page_id, sums.requests, observed, by_status) AS
        Tuple(
          id UInt64,
          requests Float64,
          observed Float64,
          by_status Array(Tuple(status UInt16, requests Float64))
        )))) AS listed,
      if(all_pages <= {p13:UInt64}, listed, []) AS found
    FROM sums
  )
SELECT * FROM (
  SELECT part, date, status, identity, requests, toUInt64(0) AS pages, '' AS ids, '' AS page_requests, '' AS page_observed,
    '' AS status_counts, '' AS statuses, '' AS status_requests
  FROM totals
  UNION ALL
  SELECT 'pages' AS part, '' AS date, 0 AS status, '' AS identity, all_requests AS requests, all_pages AS pages,
    arrayStringConcat(arrayMap(page -> hex(reinterpretAsFixedString(page.id)), found)) AS ids,
    arrayStringConcat(arrayMap(page -> hex(reinterpretAsFixedString(page.requests)), found)) AS page_requests,
    arrayStringConcat(arrayMap(page -> hex(reinterpretAsFixedString(page.observed)), found)) AS page_observed,
    arrayStringConcat(
      arrayMap(page -> hex(reinterpretAsFixedString(toUInt16(length(page.by_status)))), found)
    ) AS status_counts,
    arrayStringConcat(
      arrayMap(one -> hex(reinterpretAsFixedString(one.status)), arrayFlatten(arrayMap(page -> page.by_status, found)))
    ) AS statuses,
    arrayStringConcat(
      arrayMap(one -> hex(reinterpretAsFixedString(one.requests)), arrayFlatten(arrayMap(page -> page.by_status, found)))
    ) AS status_requests
  FROM lists
)
ORDER BY part, date, status, identity;
