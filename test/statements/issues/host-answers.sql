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
SET param_p10 = '[\'example.com\']';
SET param_p11 = '2026-03-03 10:00:00.000';
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
  )
SELECT toString(on_host) AS host, is_success, toUnixTimestamp64Milli(min(first_at)) AS first_ms, toUnixTimestamp64Milli(max(last_at)) AS last_ms
FROM (
  SELECT agent_key, host AS on_host, day AS on_day, status BETWEEN 200 AND 399 AS is_success, first_at, last_at
  FROM spoor.page_outcomes_daily
  WHERE (
    (site_id = {p3:UUID})
    AND ((day, build) IN {p4:Array(Tuple(Date, UInt64))})
    AND (((((day BETWEEN {p5:Date} AND {p6:Date})) AND (source_id IN {p7:Array(UUID)}))))
  ) AND day >= {p8:Date} AND method_class IN ('get', 'head')
    AND first_at <= {p9:DateTime64(3, 'UTC')} AND host IN {p10:Array(String)} AND status != 0
) AS counted
INNER JOIN believed USING (agent_key)
WHERE (NOT is_waiting OR first_at <= {p11:DateTime64(3, 'UTC')})
GROUP BY on_host, on_day, is_success
ORDER BY host, first_ms, is_success;
