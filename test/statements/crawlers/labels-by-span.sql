SET param_p0 = '1970-01-01 00:00:00.000';
SET param_p1 = '1970-01-01 00:00:00.000';
SET param_p2 = '10';
SET param_p3 = '2026-03-01';
SELECT
  toUInt32(
    intDiv(toUnixTimestamp(greatest(ifNull(first_at, {p0:DateTime64(3, 'UTC')}), {p1:DateTime64(3, 'UTC')})), {p2:UInt64})
  ) AS span,
  toString(sum(cityHash64(agent_key, crawler_id, purpose, identity, scope))) AS sum
FROM (
  SELECT agent_key, crawler_id, purpose, identity, scope
  FROM spoor.agent_labels FINAL
  WHERE registry_version = {p3:String}
) AS labels
LEFT JOIN (
  SELECT agent_key,
    min(first_seen) AS first_at FROM spoor.agents GROUP BY agent_key
) AS agents USING (agent_key)
GROUP BY span
ORDER BY span;
