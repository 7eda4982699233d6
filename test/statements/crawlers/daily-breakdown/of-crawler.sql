SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '[(\'2026-03-01\',11),(\'2026-03-02\',12)]';
SET param_p2 = '2026-03-01';
SET param_p3 = '2026-03-03';
SET param_p4 = '[\'00000000-0000-4000-8000-000000000041\']';
SET param_p5 = '2026-03-01';
SET param_p6 = '[\'search\',\'training\']';
SET param_p7 = 'gptbot';
WITH
  -- Requests that count; of some there may be several rows.
  counted AS (
    SELECT day, source_id, agent_key, status, requests FROM spoor.crawler_daily
    WHERE (
      (site_id = {p0:UUID})
      AND ((day, build) IN {p1:Array(Tuple(Date, UInt64))})
      AND (((((day BETWEEN {p2:Date} AND {p3:Date})) AND (source_id IN {p4:Array(UUID)}))))
    )
  ),
  -- What the registry says about each agent.
  labels AS (
    SELECT agent_key, crawler_id, purpose, identity, scope
    FROM spoor.agent_labels FINAL
    WHERE registry_version = {p5:String} AND scope != 'ads'
  )
SELECT multiIf(grouping(identity) = 0, 'identity', grouping(crawler_id) = 0, 'crawler', grouping(status) = 0, 'status',
  'source') AS part,
  toString(day) AS date, toString(identity) AS identity, status, toString(crawler_id) AS crawler_id,
  toString(source_id) AS source_id, sum(requests) AS requests
FROM counted
INNER JOIN labels USING (agent_key)
WHERE ((purpose IN {p6:Array(String)}) AND (crawler_id = {p7:String}))
GROUP BY GROUPING SETS ((day, identity), (day, status), (crawler_id, status), (source_id))
ORDER BY part, date, identity, crawler_id, status, source_id;
