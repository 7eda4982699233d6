SET param_p0 = '[(\'gptbot\',\'0a1b2c3d4e\')]';
SET param_p1 = '2026-03-01';
SET param_p2 = '2026-03-01';
SET param_p3 = '2026-03-03 10:00:00.000';
SET param_p4 = '00000000-0000-4000-8000-000000000001';
SET param_p5 = '[(\'2026-03-01\',11),(\'2026-03-02\',12)]';
SET param_p6 = '2026-03-01';
SET param_p7 = '2026-03-03';
SET param_p8 = '[\'00000000-0000-4000-8000-000000000041\']';
SET param_p9 = '2026-03-01';
SET param_p10 = '2026-03-03 12:00:00.000';
SET param_p11 = '[\'example.com\']';
SET param_p12 = '2026-03-03 10:00:00.000';
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
SELECT toString(on_host) AS host, is_success, toUnixTimestamp64Milli(min(first_at)) AS first_ms, toUnixTimestamp64Milli(
  max(if((is_waiting AND last_at > {p3:DateTime64(3, 'UTC')}), first_at, last_at))
) AS last_ms
FROM (
  SELECT agent_key, host AS on_host, day AS on_day, status BETWEEN 200 AND 399 AS is_success, first_at, last_at
  FROM spoor.page_outcomes_daily
  WHERE (
    (site_id = {p4:UUID})
    AND ((day, build) IN {p5:Array(Tuple(Date, UInt64))})
    AND (((((day BETWEEN {p6:Date} AND {p7:Date})) AND (source_id IN {p8:Array(UUID)}))))
  ) AND day >= {p9:Date} AND method_class IN ('get', 'head')
    AND first_at <= {p10:DateTime64(3, 'UTC')} AND host IN {p11:Array(String)} AND status != 0
) AS counted
INNER JOIN eligible USING (agent_key)
WHERE (NOT is_waiting OR first_at <= {p12:DateTime64(3, 'UTC')})
GROUP BY on_host, on_day, is_success
ORDER BY host, first_ms, is_success;
