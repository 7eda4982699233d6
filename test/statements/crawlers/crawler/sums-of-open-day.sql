SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '[\'2026-03-03\']';
SET param_p2 = '2026-03-03 12:00:00.000';
SET param_p3 = '[7]';
SET param_p4 = '2026-03-01';
SET param_p5 = '2026-03-03';
SET param_p6 = '[\'00000000-0000-4000-8000-000000000041\']';
SET param_p7 = '2026-03-01';
SET param_p8 = 'gptbot';
SET param_p9 = '250001';
SET param_p10 = '250000';
WITH
  -- Requests that count; of some there may be several rows.
  counted AS (
    SELECT day, page_id, agent_key, status, requests
    FROM spoor.requests FINAL
    WHERE (
      (site_id = {p0:UUID})
      AND (day IN {p1:Array(Date)})
      AND (at <= {p2:DateTime64(3, 'UTC')})
      AND (((reading = 0) OR (reading IN {p3:Array(UInt64)})))
      AND (((((day BETWEEN {p4:Date} AND {p5:Date})) AND (source_id IN {p6:Array(UUID)}))))
    )
  ),
  -- The agents that the registry assigns to this crawler, with the identity by their proof.
  own_agents AS (
    SELECT agent_key, identity
    FROM (
      SELECT agent_key, crawler_id, purpose, identity, scope
      FROM spoor.agent_labels FINAL
      WHERE registry_version = {p7:String} AND scope != 'ads'
    )
    WHERE crawler_id = {p8:String}
  ),
  -- Requests by day, by status, by identity, and by page and status.
  groups AS (
    SELECT
      multiIf(grouping(day) = 0, 'daily', grouping(page_id) = 0, 'pages', grouping(status) = 0, 'status', 'identity') AS part,
      toString(day) AS date, if(part = 'pages', 0, status) AS total_status, toString(identity) AS identity, page_id,
      status AS page_status, sum(requests) AS requests
    FROM counted
    INNER JOIN own_agents USING (agent_key)
    GROUP BY GROUPING SETS ((day), (status), (identity), (page_id, status))
  ),
  -- Each of the totals, and each page with its statuses.
  sums AS (
    SELECT part, date, total_status, identity, page_id, sum(groups.requests) AS requests,
      sumIf(groups.requests, page_status != 0) AS observed,
      arraySort(groupArray((page_status, toFloat64(groups.requests)))) AS by_status
    FROM groups
    GROUP BY part, date, total_status, identity, page_id
  ),
  -- The totals, and all pages as one list.
  lists AS (
    SELECT part, date, total_status, identity, sum(sums.requests) AS all_requests, countIf(part = 'pages') AS all_pages,
      arraySort(page -> page.id, groupArrayIf({p9:UInt64})(CAST((page_id, sums.requests, observed, by_status) AS
        Tuple(id UInt64, requests Float64, observed Float64, by_status Array(Tuple(status UInt16, requests Float64)))),
        part = 'pages')) AS listed,
      if(all_pages <= {p10:UInt64}, listed, []) AS found
    FROM sums
    GROUP BY part, date, total_status, identity
  )
SELECT part, date, total_status AS status, identity, all_requests AS requests, all_pages AS pages,
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
ORDER BY part, date, status, identity;
