SET param_p0 = '[(\'gptbot\',\'0a1b2c3d4e\')]';
SET param_p1 = '2026-03-01';
SET param_p2 = '2026-03-01';
SET param_p3 = '00000000-0000-4000-8000-000000000001';
SET param_p4 = '[\'2026-03-03\']';
SET param_p5 = '2026-03-03 12:00:00.000';
SET param_p6 = '[7]';
SET param_p7 = '2026-03-01';
SET param_p8 = '2026-03-03';
SET param_p9 = '[\'00000000-0000-4000-8000-000000000041\']';
SET param_p10 = '[101,102]';
SET param_p11 = '00000000-0000-4000-8000-000000000001';
SET param_p12 = '[\'2026-03-03\']';
SET param_p13 = '2026-03-03 12:00:00.000';
SET param_p14 = '[7]';
SET param_p15 = '2026-03-01';
SET param_p16 = '2026-03-03';
SET param_p17 = '[\'00000000-0000-4000-8000-000000000041\']';
SET param_p18 = '[101,102]';
SET param_p19 = '[\'00000000-0000-4000-8000-000000000041\']';
SET param_p20 = '[401,402,403,406,407,451]';
SET param_p21 = '[404,410]';
SET param_p22 = '2026-03-03 10:00:00.000';
SET param_p23 = '2026-03-03 10:00:00.000';
SET param_p24 = '5000';
SET param_p25 = '20000';
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
  ),
  -- Facts in columns of the roll-up.
  facts AS (
    SELECT page_id, agent_key, source_id, status, if(method = 'GET', 'get', 'head') AS method_class, edge_action, requests,
      at AS first_at, at AS last_at, day
    FROM spoor.requests FINAL
      -- FINAL compares all facts that it is given: here those that some delivery has for these pages.
      PREWHERE event IN (
        SELECT event FROM spoor.requests WHERE (
          (site_id = {p3:UUID})
          AND (day IN {p4:Array(Date)})
          AND (at <= {p5:DateTime64(3, 'UTC')})
          AND (((reading = 0) OR (reading IN {p6:Array(UInt64)})))
          AND (((((day BETWEEN {p7:Date} AND {p8:Date})) AND (source_id IN {p9:Array(UUID)}))))
        )
          AND page_id IN {p10:Array(UInt64)}
      )
    WHERE (
      (site_id = {p11:UUID})
      AND (day IN {p12:Array(Date)})
      AND (at <= {p13:DateTime64(3, 'UTC')})
      AND (((reading = 0) OR (reading IN {p14:Array(UInt64)})))
      AND (((((day BETWEEN {p15:Date} AND {p16:Date})) AND (source_id IN {p17:Array(UUID)}))))
    ) AND page_id IN {p18:Array(UInt64)} AND status != 0 AND method IN ('GET', 'HEAD')
  )
SELECT toString(page) AS page_id, crawler AS crawler_id, seen_from AS vantage, toString(on_day) AS day, harm, status, by_edge,
  identity_rank AS rank, sum(counted) AS requests, min(at_ms) AS first_ms, if(harm = '', first_ms, max(at_ms)) AS last_ms
FROM (
  SELECT page, crawler, seen_from, day AS on_day, harm, status, by_edge, identity_rank, sum(requests) AS counted, toUnixTimestamp64Milli(first_at) AS at_ms,
    count() OVER (PARTITION BY page, crawler, on_day) AS instants
  FROM (
    SELECT page_id AS page, crawler_id AS crawler, rank AS identity_rank, if(
      source_id IN {p19:Array(UUID)},
      'edge',
      'origin'
    ) AS seen_from, multiIf(
      status = 0, '',
      ifNull(edge_action IN ('block', 'challenge'), 0), 'refused',
      status BETWEEN 500 AND 599, 'server_error',
      status = 429, 'rate_limited',
      status IN {p20:Array(UInt16)} OR (status = 405 AND method_class = 'get'), 'refused',
      status IN {p21:Array(UInt16)}, 'gone',
      status BETWEEN 300 AND 399 AND status != 304, 'redirects',
      '') AS harm,
      ifNull(edge_action IN ('block', 'challenge'), 0) AS by_edge, status, requests, first_at, last_at, day,
      (is_waiting AND last_at > {p22:DateTime64(3, 'UTC')}) AS is_partly_waiting
    FROM (
      SELECT page_id, agent_key, source_id, status, method_class, edge_action, requests, first_at, last_at, day
      FROM facts
    ) AS counted
    INNER JOIN eligible USING (agent_key)
    WHERE (NOT is_waiting OR first_at <= {p23:DateTime64(3, 'UTC')})
  )
  GROUP BY page, crawler, seen_from, on_day, harm, status, by_edge, identity_rank, first_at
)
GROUP BY page, crawler, seen_from, on_day, harm, status, by_edge, identity_rank,
  if(instants > {p24:UInt64}, intDiv(at_ms, {p25:UInt64}), at_ms)
ORDER BY page_id, crawler_id, first_ms, vantage, harm, status, by_edge, rank;
