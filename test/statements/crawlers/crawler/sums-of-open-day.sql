SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '[\'2026-03-03\']';
SET param_p2 = '2026-03-03 12:00:00.000';
SET param_p3 = '[7]';
SET param_p4 = '2026-03-01';
SET param_p5 = '2026-03-03';
SET param_p6 = '[\'00000000-0000-4000-8000-000000000041\']';
SET param_p7 = '00000000-0000-4000-8000-000000000001';
SET param_p8 = '[\'2026-03-03\']';
SET param_p9 = '2026-03-03 12:00:00.000';
SET param_p10 = '[7]';
SET param_p11 = '2026-03-01';
SET param_p12 = '2026-03-03';
SET param_p13 = '[\'00000000-0000-4000-8000-000000000041\']';
SET param_p14 = '2026-03-01';
SET param_p15 = 'gptbot';
SET param_p16 = '250001';
SET param_p17 = '250000';
WITH
  -- Requests that count; of some there may be several rows.
  counted AS (
    SELECT day, agent_key, status, path_class, requests
    FROM spoor.requests FINAL
    WHERE (
      (site_id = {p0:UUID})
      AND (day IN {p1:Array(Date)})
      AND (at <= {p2:DateTime64(3, 'UTC')})
      AND (((reading = 0) OR (reading IN {p3:Array(UInt64)})))
      AND (((((day BETWEEN {p4:Date} AND {p5:Date})) AND (source_id IN {p6:Array(UUID)}))))
    )
  ),
  -- Requests that count; of some there may be several rows.
  outcomes AS (
    SELECT page_id, agent_key, status, requests, at AS first_at, at AS last_at
    FROM spoor.requests FINAL
    WHERE (
      (site_id = {p7:UUID})
      AND (day IN {p8:Array(Date)})
      AND (at <= {p9:DateTime64(3, 'UTC')})
      AND (((reading = 0) OR (reading IN {p10:Array(UInt64)})))
      AND (((((day BETWEEN {p11:Date} AND {p12:Date})) AND (source_id IN {p13:Array(UUID)}))))
    )
  ),
  -- The agents that the registry calls by this crawler, with the identity that their proof gives them.
  own_agents AS (
    SELECT agent_key, identity
    FROM (
      SELECT agent_key, crawler_id, purpose, identity, scope
      FROM spoor.agent_labels FINAL
      WHERE registry_version = {p14:String} AND scope != 'ads'
    )
    WHERE crawler_id = {p15:String}
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
  -- The same by page.
  sums AS (
    SELECT page_id, sum(page_statuses.requests) AS requests, sumIf(page_statuses.requests, status != 0) AS observed,
      arraySort(groupArray((status, toFloat64(page_statuses.requests)))) AS by_status
    FROM page_statuses
    GROUP BY page_id
  ),
  -- The same as lists.
  lists AS (
    SELECT sum(sums.requests) AS all_requests, count() AS all_pages,
      arraySort(page -> page.id, groupArray({p16:UInt64})(CAST((page_id, sums.requests, observed, by_status) AS
        Tuple(
          id UInt64,
          requests Float64,
          observed Float64,
          by_status Array(Tuple(status UInt16, requests Float64))
        )))) AS listed,
      if(all_pages <= {p17:UInt64}, listed, []) AS found
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
