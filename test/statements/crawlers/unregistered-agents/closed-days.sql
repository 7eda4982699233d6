SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '[(\'2026-03-01\',11),(\'2026-03-02\',12)]';
SET param_p2 = '2026-03-01';
SET param_p3 = '2026-03-03';
SET param_p4 = '[\'00000000-0000-4000-8000-000000000041\']';
SET param_p5 = '2026-03-01';
SET param_p6 = '(?i)(?:"[^"]{1,64}"|[^\\\\s"@<>()\\\\[\\\\]/:;,=]+)(?:(?:@|%40| ?[(\\\\[]at[)\\\\]] ?)[^\\\\s"@<>()\\\\[\\\\]/:;,=]+| ?@ ?[^\\\\s"@<>()\\\\[\\\\]/:;,=]+\\\\.[^\\\\s"@<>()\\\\[\\\\]/:;,=]+)';
SET param_p7 = '512';
SET param_p8 = '50';
WITH
  -- Requests that count; of some there may be several rows.
  counted AS (
    SELECT page_id, agent_key, status, requests, first_at, last_at FROM spoor.page_outcomes_daily
    WHERE (
      (site_id = {p0:UUID})
      AND ((day, build) IN {p1:Array(Tuple(Date, UInt64))})
      AND (((((day BETWEEN {p2:Date} AND {p3:Date})) AND (source_id IN {p4:Array(UUID)}))))
    )
  ),
  -- Requests of agents that the registry does not know.
  unlabelled AS (
    SELECT agent_key, sum(requests) AS requests, min(first_at) AS first_at, max(last_at) AS last_at
    FROM counted
    WHERE agent_key NOT IN (
      SELECT agent_key
      FROM spoor.agent_labels
      WHERE registry_version = {p5:String}
    )
    GROUP BY agent_key
  ),
  -- These agents by name.
  named AS (
    SELECT user_agent, proof, requests, first_at, last_at
    FROM spoor.agents AS agents FINAL
    INNER JOIN unlabelled USING (agent_key)
  )
SELECT
  substringUTF8(
    replaceRegexpAll(
      replaceRegexpAll(user_agent, {p6:String}, '[e-mail]'),
      '[\\p{Cc}\\p{Cf}]',
      '·'
    ), 1, {p7:UInt64}) AS agent,
  any(user_agent) AS example,
  toBool(max(position(proof, '"provider"') > 0 OR position(proof, '"signature"') > 0)) AS has_verdict,
  sum(requests) AS requests,
  toUInt64(toUnixTimestamp64Milli(min(named.first_at))) AS first_at,
  toUInt64(toUnixTimestamp64Milli(max(named.last_at))) AS last_at,
  count() OVER () AS total_agents,
  sum(sum(named.requests)) OVER () AS total_requests
FROM named
GROUP BY agent
ORDER BY requests DESC, agent
LIMIT {p8:UInt64};
