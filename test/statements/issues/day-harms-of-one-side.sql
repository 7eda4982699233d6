SET param_p0 = '[(\'gptbot\',\'0a1b2c3d4e\')]';
SET param_p1 = '2026-03-01';
SET param_p2 = '2026-03-01';
SET param_p3 = '[\'gptbot\']';
SET param_p4 = '0';
SET param_p5 = '3';
SET param_p6 = '1';
SET param_p7 = '2';
SET param_p8 = '[401,402,403,406,407,451]';
SET param_p9 = '3';
SET param_p10 = '[404,410]';
SET param_p11 = '4';
SET param_p12 = '5';
SET param_p13 = '0';
SET param_p14 = '00000000-0000-4000-8000-000000000001';
SET param_p15 = '[(\'2026-03-02\',12)]';
SET param_p16 = '2026-03-01';
SET param_p17 = '2026-03-03';
SET param_p18 = '[\'00000000-0000-4000-8000-000000000041\']';
SET param_p19 = '2026-03-02';
SET param_p20 = '2026-03-03 12:00:00.000';
SET param_p21 = '0';
SET param_p22 = '10';
SET param_p23 = '2026-03-03 10:00:00.000';
SET param_p24 = '3';
SET param_p25 = '100';
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
  -- Looking up each agent's number in a constant takes half the time of a join.
  (SELECT CAST(
    (groupArray(agent_key), groupArray(toUInt32(indexOf({p3:Array(String)}, crawler_id) * 2 + is_waiting))),
    'Tuple(agents Array(UInt64), units Array(UInt32))'
  ) FROM eligible) AS known
SELECT groupArray(toUInt32(bitShiftRight(page, 32))) AS page_high, groupArray(toUInt32(page)) AS page_low,
  groupArray(number) AS unit_harm, groupArray(toFloat64(met)) AS requests
FROM (
  SELECT page, number, sum(requests) AS met
  FROM (
    SELECT page_id AS page, transform(agent_key, known.agents, known.units, toUInt32(0)) AS agent, agent % 2 AS is_waiting,
      toUInt32((agent - is_waiting + (0)) * 8 + multiIf(
        status = 0, toUInt32({p4:UInt64}),
        ifNull(edge_action IN ('block', 'challenge'), 0), toUInt32({p5:UInt64}),
        status BETWEEN 500 AND 599, toUInt32({p6:UInt64}),
        status = 429, toUInt32({p7:UInt64}),
        status IN {p8:Array(UInt16)} OR (status = 405 AND method_class = 'get'), toUInt32({p9:UInt64}),
        status IN {p10:Array(UInt16)}, toUInt32({p11:UInt64}),
        status BETWEEN 300 AND 399 AND status != 304, toUInt32({p12:UInt64}),
        toUInt32({p13:UInt64}))) AS number, requests, first_at
    FROM spoor.page_outcomes_daily
    WHERE (
      (site_id = {p14:UUID})
      AND ((day, build) IN {p15:Array(Tuple(Date, UInt64))})
      AND (((((day BETWEEN {p16:Date} AND {p17:Date})) AND (source_id IN {p18:Array(UUID)}))))
    ) AND day >= {p19:Date} AND method_class IN ('get', 'head')
      AND first_at <= {p20:DateTime64(3, 'UTC')} AND status != 0 AND page_id BETWEEN {p21:UInt64} AND {p22:UInt64}
  )
  WHERE agent >= 2 AND (NOT is_waiting OR first_at <= {p23:DateTime64(3, 'UTC')})
  GROUP BY page, number
  HAVING bitAnd(number, 7) != 0 OR met >= {p24:UInt64}
  ORDER BY page
  LIMIT {p25:UInt64}
);
