SET param_p0 = '[(\'gptbot\',\'0a1b2c3d4e\')]';
SET param_p1 = '2026-03-01';
SET param_p2 = '2026-03-01';
SET param_p3 = '[\'00000000-0000-4000-8000-000000000041\']';
SET param_p4 = '[401,402,403,406,407,451]';
SET param_p5 = '[404,410]';
SET param_p6 = '2026-03-03 10:00:00.000';
SET param_p7 = '00000000-0000-4000-8000-000000000001';
SET param_p8 = '[(\'2026-03-02\',12)]';
SET param_p9 = '2026-03-01';
SET param_p10 = '2026-03-03';
SET param_p11 = '[\'00000000-0000-4000-8000-000000000041\']';
SET param_p12 = '2026-03-02';
SET param_p13 = '2026-03-03 12:00:00.000';
SET param_p14 = '[101,102]';
SET param_p15 = '2026-03-03 10:00:00.000';
WITH
  -- Claims with proof facts: whether the proof is awaited, and whether it was possible and did not succeed.
  claim_states AS (
    SELECT agent_key, JSONHas(proof, 'rdns', 'pending') AS is_waiting,
      JSONExtractBool(proof, 'attested') AND (
        JSONExtractString(proof, 'rdns') = 'none' OR JSONHas(proof, 'rdns', 'suffix')
        OR arrayExists(
          held -> (claims.crawler_id, held) IN {p0:Array(Tuple(String, String))},
          splitByChar(' ', JSONExtractString(proof, 'held'))
        )
      ) AS is_unproven
    FROM spoor.agents
    INNER JOIN (SELECT agent_key, crawler_id FROM (
      SELECT agent_key, crawler_id, purpose, identity, scope
      FROM spoor.agent_labels FINAL
      WHERE registry_version = {p1:String} AND scope != 'ads') WHERE identity = 'ua_identified') AS claims
      USING (agent_key)
    WHERE proof != ''
    GROUP BY agent_key, is_waiting, is_unproven
  ),
  -- Agents of crawlers, without impostors; the stronger the identity, the higher the rank.
  eligible AS (
    SELECT agent_key, crawler_id, multiIf(identity = 'network_verified', 3, identity = 'provider_verified', 2, 1) AS rank,
      ifNull(is_waiting, 0) AS is_waiting
    FROM (
      SELECT agent_key, crawler_id, purpose, identity, scope
      FROM spoor.agent_labels FINAL
      WHERE registry_version = {p2:String} AND scope != 'ads'
    ) AS labelled
    LEFT JOIN claim_states USING (agent_key)
    WHERE identity != 'unknown' AND ifNull(is_unproven, 0) = 0
  )
SELECT toString(page) AS page_id, crawler AS crawler_id, seen_from AS vantage, toString(day) AS day, harm, status, by_edge,
  identity_rank AS rank, sum(requests) AS requests, toUnixTimestamp64Milli(min(first_at)) AS first_ms, toUnixTimestamp64Milli(max(last_at)) AS last_ms, max(is_partly_waiting) AS is_partly_waiting
FROM (
  SELECT page_id AS page, crawler_id AS crawler, rank AS identity_rank, if(
    source_id IN {p3:Array(UUID)},
    'edge',
    'origin'
  ) AS seen_from, multiIf(
    status = 0, '',
    ifNull(edge_action IN ('block', 'challenge'), 0), 'refused',
    status BETWEEN 500 AND 599, 'server_error',
    status = 429, 'rate_limited',
    status IN {p4:Array(UInt16)} OR (status = 405 AND method_class = 'get'), 'refused',
    status IN {p5:Array(UInt16)}, 'gone',
    status BETWEEN 300 AND 399 AND status != 304, 'redirects',
    '') AS harm,
    ifNull(edge_action IN ('block', 'challenge'), 0) AS by_edge, status, requests, first_at, last_at, day,
    (is_waiting AND last_at > {p6:DateTime64(3, 'UTC')}) AS is_partly_waiting
  FROM (
    SELECT page_id, agent_key, source_id, status, method_class, edge_action, requests, first_at, last_at, day
    FROM spoor.page_outcomes_daily
    WHERE (
      (site_id = {p7:UUID})
      AND ((day, build) IN {p8:Array(Tuple(Date, UInt64))})
      AND (((((day BETWEEN {p9:Date} AND {p10:Date})) AND (source_id IN {p11:Array(UUID)}))))
    ) AND day >= {p12:Date} AND method_class IN ('get', 'head')
      AND first_at <= {p13:DateTime64(3, 'UTC')} AND status != 0 AND page_id IN {p14:Array(UInt64)}
  ) AS counted
  INNER JOIN eligible USING (agent_key)
  WHERE (NOT is_waiting OR first_at <= {p15:DateTime64(3, 'UTC')})
)
GROUP BY page, crawler, seen_from, day, harm, status, by_edge, identity_rank
ORDER BY page_id, crawler_id, vantage, day, harm, status, by_edge, rank;
