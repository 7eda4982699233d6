SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '[(\'2026-03-01\',21)]';
SET param_p2 = '[\'2026-03-01\']';
SET param_p3 = '[\'00000000-0000-4000-8000-000000000041\']';
SET param_p4 = '[]';
SET param_p5 = '[\'00000000-0000-4000-8000-000000000042\']';
SET param_p6 = '[\'*.example.com\',\'example.org\']';
SET param_p7 = '.example.com';
SET param_p8 = '[\'shop.example.com\']';
SET param_p9 = '[]';
SET param_p10 = '[\'00000000-0000-4000-8000-000000000042\']';
SET param_p11 = '[\'example.org\']';
SET param_p12 = '00000000-0000-4000-8000-000000000001';
SET param_p13 = '[\'2026-03-03\']';
SET param_p14 = '2026-03-03 12:00:00.000';
SET param_p15 = '[7]';
SET param_p16 = '2026-03-01';
SET param_p17 = '2026-03-03';
SET param_p18 = '[\'00000000-0000-4000-8000-000000000041\']';
SET param_p19 = '2026-03-01';
SET param_p20 = '2026-03-01';
SET param_p21 = '[\'00000000-0000-4000-8000-000000000042\']';
SET param_p22 = '[\'*.example.com\',\'example.org\']';
SET param_p23 = '.example.com';
SET param_p24 = '[\'shop.example.com\']';
SET param_p25 = '2026-03-03';
SET param_p26 = '2026-03-03';
SET param_p27 = '[\'00000000-0000-4000-8000-000000000042\']';
SET param_p28 = '[\'example.org\']';
SET param_p29 = '2026-03-01';
SET param_p30 = '(?i)(?:"[^"]{1,64}"|[^\\\\s"@<>()\\\\[\\\\]/:;,=]+)(?:(?:@|%40| ?[(\\\\[]at[)\\\\]] ?)[^\\\\s"@<>()\\\\[\\\\]/:;,=]+| ?@ ?[^\\\\s"@<>()\\\\[\\\\]/:;,=]+\\\\.[^\\\\s"@<>()\\\\[\\\\]/:;,=]+)';
SET param_p31 = '512';
SET param_p32 = '50';
WITH
  -- Requests that count; of some there may be several rows.
  counted AS (
    SELECT page_id, agent_key, status, requests, first_at, last_at FROM spoor.page_monthly
    WHERE (
      (site_id = {p0:UUID})
      AND ((month, build) IN {p1:Array(Tuple(Date, UInt64))})
      AND (
        (
          (((month IN {p2:Array(Date)}) AND (source_id IN {p3:Array(UUID)})))
          OR (
            (
              (month IN {p4:Array(Date)})
              AND (source_id IN {p5:Array(UUID)})
              AND (((host IN {p6:Array(String)}) OR (endsWith(host, {p7:String}) AND host NOT IN {p8:Array(String)})))
            )
          )
          OR (((month IN {p9:Array(Date)}) AND (source_id IN {p10:Array(UUID)}) AND (NOT (host IN {p11:Array(String)}))))
        )
      )
    )
    UNION ALL
    SELECT page_id, agent_key, status, requests, at AS first_at, at AS last_at
    FROM spoor.requests FINAL
    WHERE (
      (site_id = {p12:UUID})
      AND (day IN {p13:Array(Date)})
      AND (at <= {p14:DateTime64(3, 'UTC')})
      AND (((reading = 0) OR (reading IN {p15:Array(UInt64)})))
      AND (
        (
          ((((day BETWEEN {p16:Date} AND {p17:Date})) AND (source_id IN {p18:Array(UUID)})))
          OR (
            (
              ((day BETWEEN {p19:Date} AND {p20:Date}))
              AND (source_id IN {p21:Array(UUID)})
              AND (((host IN {p22:Array(String)}) OR (endsWith(host, {p23:String}) AND host NOT IN {p24:Array(String)})))
            )
          )
          OR (
            (((day BETWEEN {p25:Date} AND {p26:Date})) AND (source_id IN {p27:Array(UUID)}) AND (NOT (host IN {p28:Array(String)})))
          )
        )
      )
    )
  ),
  -- Requests of agents that the registry does not know.
  unlabelled AS (
    SELECT agent_key, sum(requests) AS requests, min(first_at) AS first_at, max(last_at) AS last_at
    FROM counted
    WHERE agent_key NOT IN (
      SELECT agent_key
      FROM spoor.agent_labels
      WHERE registry_version = {p29:String}
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
      replaceRegexpAll(user_agent, {p30:String}, '[e-mail]'),
      '[\\p{Cc}\\p{Cf}]',
      '·'
    ), 1, {p31:UInt64}) AS agent,
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
LIMIT {p32:UInt64};
