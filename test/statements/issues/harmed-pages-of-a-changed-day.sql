SET param_p0 = '[(\'gptbot\',\'0a1b2c3d4e\')]';
SET param_p1 = '2026-03-01';
SET param_p2 = '2026-03-01';
SET param_p3 = '00000000-0000-4000-8000-000000000001';
SET param_p4 = '[(\'2026-03-01\',11),(\'2026-03-02\',12)]';
SET param_p5 = '2026-03-01';
SET param_p6 = '2026-03-03';
SET param_p7 = '[\'00000000-0000-4000-8000-000000000041\']';
SET param_p8 = '2026-03-01';
SET param_p9 = '2026-03-03 12:00:00.000';
SET param_p10 = '[\'2026-03-03\']';
SET param_p11 = '1';
SET param_p12 = '0';
SET param_p13 = '[401,402,403,406,407,451]';
SET param_p14 = '[404,410]';
SET param_p15 = '1';
SET param_p16 = '[\'00000000-0000-4000-8000-000000000041\']';
SET param_p17 = '[401,402,403,406,407,451]';
SET param_p18 = '[404,410]';
SET param_p19 = '00000000-0000-4000-8000-000000000001';
SET param_p20 = '[(\'2026-03-01\',11),(\'2026-03-02\',12)]';
SET param_p21 = '2026-03-01';
SET param_p22 = '2026-03-03';
SET param_p23 = '[\'00000000-0000-4000-8000-000000000041\']';
SET param_p24 = '2026-03-01';
SET param_p25 = '2026-03-03 12:00:00.000';
SET param_p26 = '2026-03-03 10:00:00.000';
SET param_p27 = '3';
SET param_p28 = '100';
WITH
  -- Agents that wait for proof, and claims whose proof was possible and did not succeed.
  doubted AS (
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
  -- Agents of crawlers, impostors left out; the rank rises with the identity.
  believed AS (
    SELECT agent_key, crawler_id, multiIf(identity = 'network_verified', 3, identity = 'provider_verified', 2, 1) AS rank,
      ifNull(is_waiting, 0) AS is_waiting
    FROM (
      SELECT agent_key, crawler_id, purpose, identity, scope
      FROM spoor.agent_labels FINAL
      WHERE registry_version = {p2:String} AND scope != 'ads'
    ) AS labelled
    LEFT JOIN doubted USING (agent_key)
    WHERE identity != 'unknown' AND ifNull(is_unproven, 0) = 0
  ),
  -- Pages with enough harmful responses of anybody: few, so that only their other requests are looked at.
  suspects AS (
    SELECT page_id
    FROM spoor.page_outcomes_daily
    WHERE (
      (site_id = {p3:UUID})
      AND ((day, build) IN {p4:Array(Tuple(Date, UInt64))})
      AND (((((day BETWEEN {p5:Date} AND {p6:Date})) AND (source_id IN {p7:Array(UUID)}))))
    ) AND day >= {p8:Date} AND method_class IN ('get', 'head')
      AND first_at <= {p9:DateTime64(3, 'UTC')} AND day IN {p10:Array(Date)} AND page_id % {p11:UInt64} = {p12:UInt64} AND multiIf(
        status = 0, '',
        ifNull(edge_action IN ('block', 'challenge'), 0), 'refused',
        status BETWEEN 500 AND 599, 'server_error',
        status = 429, 'rate_limited',
        status IN {p13:Array(UInt16)} OR (status = 405 AND method_class = 'get'), 'refused',
        status IN {p14:Array(UInt16)}, 'gone',
        status BETWEEN 300 AND 399 AND status != 304, 'redirects',
        '') != ''
    GROUP BY page_id
    HAVING sum(requests) >= {p15:UInt64}
  ),
  -- Requests of crawlers to them, by what harm they met.
  met AS (
    SELECT page, crawler, seen_from, harm, sum(requests) AS harmful, min(identity_rank) AS weakest,
      min(status = 401) AS is_login_asked, min(first_at) AS began_at, max(last_at) AS ended_at,
      min(day) AS began_on, max(day) AS ended_on
    FROM (
      SELECT page_id AS page, crawler_id AS crawler, rank AS identity_rank, if(
        source_id IN {p16:Array(UUID)},
        'edge',
        'origin'
      ) AS seen_from, multiIf(
        status = 0, '',
        ifNull(edge_action IN ('block', 'challenge'), 0), 'refused',
        status BETWEEN 500 AND 599, 'server_error',
        status = 429, 'rate_limited',
        status IN {p17:Array(UInt16)} OR (status = 405 AND method_class = 'get'), 'refused',
        status IN {p18:Array(UInt16)}, 'gone',
        status BETWEEN 300 AND 399 AND status != 304, 'redirects',
        '') AS harm,
        ifNull(edge_action IN ('block', 'challenge'), 0) AS by_edge, status, requests, first_at, last_at, day
      FROM (
        SELECT page_id, agent_key, source_id, status, method_class, edge_action, requests, first_at, last_at, day
        FROM spoor.page_outcomes_daily
        WHERE (
          (site_id = {p19:UUID})
          AND ((day, build) IN {p20:Array(Tuple(Date, UInt64))})
          AND (((((day BETWEEN {p21:Date} AND {p22:Date})) AND (source_id IN {p23:Array(UUID)}))))
        ) AND day >= {p24:Date} AND method_class IN ('get', 'head')
          AND first_at <= {p25:DateTime64(3, 'UTC')} AND status != 0 AND page_id IN (SELECT page_id FROM suspects)
      ) AS counted
      INNER JOIN believed USING (agent_key)
      WHERE (NOT is_waiting OR first_at <= {p26:DateTime64(3, 'UTC')})
    )
    GROUP BY page, crawler, seen_from, harm
  ),
  -- The same beside all observed requests of the unit.
  weighed AS (
    SELECT *, sum(harmful) OVER (PARTITION BY page, crawler, seen_from) AS observed
    FROM met
  )
SELECT toString(page) AS page_id, crawler AS crawler_id, seen_from AS vantage, harm, harmful, observed, is_login_asked,
  weakest AS rank, toUnixTimestamp64Milli(began_at) AS first_ms, toUnixTimestamp64Milli(ended_at) AS last_ms, toString(began_on) AS first_day,
  toString(ended_on) AS last_day, count() OVER () AS total_units
FROM weighed
WHERE harm != '' AND harmful >= {p27:UInt64} AND harmful * 2 >= observed
ORDER BY harmful DESC, page_id, crawler_id, vantage, harm
LIMIT {p28:UInt64};
