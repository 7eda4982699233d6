SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '[(\'2026-03-01\',11),(\'2026-03-02\',12)]';
SET param_p2 = '2026-03-01';
SET param_p3 = '2026-03-03';
SET param_p4 = '[\'00000000-0000-4000-8000-000000000041\']';
SET param_p5 = '2026-03-01';
SET param_p6 = '00000000-0000-4000-8000-000000000001';
SET param_p7 = 'example.com';
SET param_p8 = '/pricing';
SET param_p9 = 'gptbot';
WITH
  -- Requests that count; of some there may be several rows.
  counted AS (
    SELECT day, page_id, agent_key, status, requests FROM spoor.page_outcomes_daily
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
SELECT if(grouping(day) = 0, 'daily', 'crawler') AS part, toString(day) AS date, status, crawler_id,
  toString(purpose) AS purpose, toString(identity) AS identity, sum(requests) AS requests
FROM counted
INNER JOIN labels USING (agent_key)
WHERE (
  (
    page_id IN (
      SELECT page_id FROM spoor.pages WHERE ((site_id = {p6:UUID}) AND (host = {p7:String}) AND (path = {p8:String}))
    )
  )
  AND (crawler_id = {p9:String})
)
GROUP BY GROUPING SETS ((day, status), (crawler_id, purpose, identity, status))
ORDER BY part, date, crawler_id, identity, status;
