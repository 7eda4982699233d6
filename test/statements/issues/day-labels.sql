SET param_p0 = '[(\'gptbot\',\'0a1b2c3d4e\')]';
SET param_p1 = '2026-03-01';
SET param_p2 = '2026-03-01';
SET param_p3 = '00000000-0000-4000-8000-000000000001';
SET param_p4 = '2026-03-02';
SET param_p5 = '[(\'2026-03-02\',12)]';
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
SELECT toString(on_day) AS day, toString(groupBitXor(cityHash64(agent_key, crawler_id, rank, is_waiting))) AS labels
FROM (
  SELECT DISTINCT day AS on_day, agent_key
  FROM spoor.crawler_daily
  WHERE site_id = {p3:UUID} AND day >= {p4:Date} AND (day, build) IN {p5:Array(Tuple(Date, UInt64))}
) AS seen
INNER JOIN eligible USING (agent_key)
GROUP BY on_day
ORDER BY day;
