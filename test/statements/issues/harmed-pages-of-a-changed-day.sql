SET param_p0 = '[(\'gptbot\',\'0a1b2c3d4e\')]';
SET param_p1 = '2026-03-01';
SET param_p2 = '2026-03-01';
SET param_p3 = '[\'00000000-0000-4000-8000-000000000041\']';
SET param_p4 = '[401,402,403,406,407,451]';
SET param_p5 = '[404,410]';
SET param_p6 = '[\'2026-03-03\']';
SET param_p7 = '00000000-0000-4000-8000-000000000001';
SET param_p8 = '[(\'2026-03-01\',11),(\'2026-03-02\',12)]';
SET param_p9 = '2026-03-01';
SET param_p10 = '2026-03-03';
SET param_p11 = '[\'00000000-0000-4000-8000-000000000041\']';
SET param_p12 = '2026-03-01';
SET param_p13 = '2026-03-03 12:00:00.000';
SET param_p14 = '1';
SET param_p15 = '0';
SET param_p16 = '00000000-0000-4000-8000-000000000001';
SET param_p17 = '[(\'2026-03-01\',11),(\'2026-03-02\',12)]';
SET param_p18 = '2026-03-01';
SET param_p19 = '2026-03-03';
SET param_p20 = '[\'00000000-0000-4000-8000-000000000041\']';
SET param_p21 = '2026-03-01';
SET param_p22 = '2026-03-03 12:00:00.000';
SET param_p23 = '1';
SET param_p24 = '0';
SET param_p25 = '[\'2026-03-03\']';
SET param_p26 = '[401,402,403,406,407,451]';
SET param_p27 = '[404,410]';
SET param_p28 = '2026-03-03 10:00:00.000';
SET param_p29 = '3';
SET param_p30 = '[\'00000000-0000-4000-8000-000000000041\']';
SET param_p31 = '[401,402,403,406,407,451]';
SET param_p32 = '[404,410]';
SET param_p33 = '00000000-0000-4000-8000-000000000001';
SET param_p34 = '[(\'2026-03-01\',11),(\'2026-03-02\',12)]';
SET param_p35 = '2026-03-01';
SET param_p36 = '2026-03-03';
SET param_p37 = '[\'00000000-0000-4000-8000-000000000041\']';
SET param_p38 = '2026-03-01';
SET param_p39 = '2026-03-03 12:00:00.000';
SET param_p40 = '2026-03-03 10:00:00.000';
SET param_p41 = '3';
SET param_p42 = '100';
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
  -- Pages where half of what some crawler met was harm of any kind: few, so that only they are looked at closely.
  -- Grouping millions of rows by a number takes half the time of grouping them by a name.
  suspects AS (
    SELECT DISTINCT page_id
    FROM (
      SELECT page_id
      FROM (
        SELECT page_id, agent_key, requests, first_at, source_id IN {p3:Array(UUID)} AS is_edge,
          (status != 0 AND (ifNull(edge_action IN ('block', 'challenge'), 0) OR status BETWEEN 500 AND 599 OR status = 429
            OR status IN {p4:Array(UInt16)} OR (status = 405 AND method_class = 'get')
            OR status IN {p5:Array(UInt16)} OR (
              status BETWEEN 300
              AND 399
              AND status != 304
            ))) AS is_harmful, is_harmful AND day IN {p6:Array(Date)} AS is_news
        FROM spoor.page_outcomes_daily
        WHERE (
          (site_id = {p7:UUID})
          AND ((day, build) IN {p8:Array(Tuple(Date, UInt64))})
          AND (((((day BETWEEN {p9:Date} AND {p10:Date})) AND (source_id IN {p11:Array(UUID)}))))
        ) AND day >= {p12:Date} AND method_class IN ('get', 'head')
          AND first_at <= {p13:DateTime64(3, 'UTC')} AND status != 0 AND page_id % {p14:UInt64} = {p15:UInt64}
          AND page_id IN (SELECT page_id
            FROM spoor.page_outcomes_daily
            WHERE (
              (site_id = {p16:UUID})
              AND ((day, build) IN {p17:Array(Tuple(Date, UInt64))})
              AND (((((day BETWEEN {p18:Date} AND {p19:Date})) AND (source_id IN {p20:Array(UUID)}))))
            ) AND day >= {p21:Date} AND method_class IN ('get', 'head')
              AND first_at <= {p22:DateTime64(3, 'UTC')} AND status != 0 AND page_id % {p23:UInt64} = {p24:UInt64} AND day IN {p25:Array(Date)} AND (status != 0 AND (ifNull(edge_action IN ('block', 'challenge'), 0) OR status BETWEEN 500 AND 599 OR status = 429
                OR status IN {p26:Array(UInt16)} OR (status = 405 AND method_class = 'get')
                OR status IN {p27:Array(UInt16)} OR (status BETWEEN 300 AND 399 AND status != 304))))
      ) AS counted
      INNER JOIN (SELECT agent_key, cityHash64(crawler_id) AS crawler_number, is_waiting FROM believed) AS numbered
        USING (agent_key)
      WHERE (NOT is_waiting OR first_at <= {p28:DateTime64(3, 'UTC')})
      GROUP BY page_id, crawler_number, is_edge
      HAVING sumIf(requests, is_harmful) >= {p29:UInt64} AND sumIf(requests, is_harmful) * 2 >= sum(requests)
        AND max(is_news)
    )
  ),
  -- Requests of crawlers to them, by what harm they met.
  met AS (
    SELECT page, crawler, seen_from, harm, sum(requests) AS harmful, min(identity_rank) AS weakest,
      min(status = 401) AS is_login_asked, min(first_at) AS began_at, max(last_at) AS ended_at,
      min(day) AS began_on, max(day) AS ended_on
    FROM (
      SELECT page_id AS page, crawler_id AS crawler, rank AS identity_rank, if(
        source_id IN {p30:Array(UUID)},
        'edge',
        'origin'
      ) AS seen_from, multiIf(
        status = 0, '',
        ifNull(edge_action IN ('block', 'challenge'), 0), 'refused',
        status BETWEEN 500 AND 599, 'server_error',
        status = 429, 'rate_limited',
        status IN {p31:Array(UInt16)} OR (status = 405 AND method_class = 'get'), 'refused',
        status IN {p32:Array(UInt16)}, 'gone',
        status BETWEEN 300 AND 399 AND status != 304, 'redirects',
        '') AS harm,
        ifNull(edge_action IN ('block', 'challenge'), 0) AS by_edge, status, requests, first_at, last_at, day
      FROM (
        SELECT page_id, agent_key, source_id, status, method_class, edge_action, requests, first_at, last_at, day
        FROM spoor.page_outcomes_daily
        WHERE (
          (site_id = {p33:UUID})
          AND ((day, build) IN {p34:Array(Tuple(Date, UInt64))})
          AND (((((day BETWEEN {p35:Date} AND {p36:Date})) AND (source_id IN {p37:Array(UUID)}))))
        ) AND day >= {p38:Date} AND method_class IN ('get', 'head')
          AND first_at <= {p39:DateTime64(3, 'UTC')} AND status != 0 AND page_id IN (SELECT page_id FROM suspects)
      ) AS counted
      INNER JOIN believed USING (agent_key)
      WHERE (NOT is_waiting OR first_at <= {p40:DateTime64(3, 'UTC')})
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
WHERE harm != '' AND harmful >= {p41:UInt64} AND harmful * 2 >= observed
ORDER BY harmful DESC, page_id, crawler_id, vantage, harm
LIMIT {p42:UInt64};
