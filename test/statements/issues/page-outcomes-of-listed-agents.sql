SET param_p0 = '[901]';
SET param_p1 = '[\'gptbot\']';
SET param_p2 = '[1]';
SET param_p3 = '[0]';
SET param_p4 = '[\'00000000-0000-4000-8000-000000000041\']';
SET param_p5 = '[401,402,403,406,407,451]';
SET param_p6 = '[404,410]';
SET param_p7 = '2026-03-03 10:00:00.000';
SET param_p8 = '00000000-0000-4000-8000-000000000001';
SET param_p9 = '[(\'2026-03-02\',12)]';
SET param_p10 = '2026-03-01';
SET param_p11 = '2026-03-03';
SET param_p12 = '[\'00000000-0000-4000-8000-000000000041\']';
SET param_p13 = '2026-03-02';
SET param_p14 = '2026-03-03 12:00:00.000';
SET param_p15 = '[101,102]';
SET param_p16 = '2026-03-03 10:00:00.000';
WITH
  eligible AS (
    SELECT agent_key, crawler_id, rank, is_waiting
    FROM (
      SELECT {p0:Array(UInt64)} AS agent_key, {p1:Array(String)} AS crawler_id,
        {p2:Array(UInt8)} AS rank, {p3:Array(UInt8)} AS is_waiting
    )
    ARRAY JOIN agent_key, crawler_id, rank, is_waiting
  )
SELECT toString(page) AS page_id, crawler AS crawler_id, seen_from AS vantage, toString(day) AS day, harm, status, by_edge,
  identity_rank AS rank, sum(requests) AS requests, toUnixTimestamp64Milli(min(first_at)) AS first_ms, toUnixTimestamp64Milli(max(last_at)) AS last_ms, max(is_partly_waiting) AS is_partly_waiting
FROM (
  SELECT page_id AS page, crawler_id AS crawler, rank AS identity_rank, if(
    source_id IN {p4:Array(UUID)},
    'edge',
    'origin'
  ) AS seen_from, multiIf(
    status = 0, '',
    ifNull(edge_action IN ('block', 'challenge'), 0), 'refused',
    status BETWEEN 500 AND 599, 'server_error',
    status = 429, 'rate_limited',
    status IN {p5:Array(UInt16)} OR (status = 405 AND method_class = 'get'), 'refused',
    status IN {p6:Array(UInt16)}, 'gone',
    status BETWEEN 300 AND 399 AND status != 304, 'redirects',
    '') AS harm,
    ifNull(edge_action IN ('block', 'challenge'), 0) AS by_edge, status, requests, first_at, last_at, day,
    (is_waiting AND last_at > {p7:DateTime64(3, 'UTC')}) AS is_partly_waiting
  FROM (
    SELECT page_id, agent_key, source_id, status, method_class, edge_action, requests, first_at, last_at, day
    FROM spoor.page_outcomes_daily
    WHERE (
      (site_id = {p8:UUID})
      AND ((day, build) IN {p9:Array(Tuple(Date, UInt64))})
      AND (((((day BETWEEN {p10:Date} AND {p11:Date})) AND (source_id IN {p12:Array(UUID)}))))
    ) AND day >= {p13:Date} AND method_class IN ('get', 'head')
      AND first_at <= {p14:DateTime64(3, 'UTC')} AND status != 0 AND page_id IN {p15:Array(UInt64)}
  ) AS counted
  INNER JOIN eligible USING (agent_key)
  WHERE (NOT is_waiting OR first_at <= {p16:DateTime64(3, 'UTC')})
)
GROUP BY page, crawler, seen_from, day, harm, status, by_edge, identity_rank
ORDER BY page_id, crawler_id, vantage, day, harm, status, by_edge, rank;
