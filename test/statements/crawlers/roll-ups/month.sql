SET param_p0 = '21';
SET param_p1 = '00000000-0000-4000-8000-000000000001';
SET param_p2 = '[(\'2026-03-01\',11),(\'2026-03-02\',12)]';
INSERT INTO spoor.page_monthly (
  site_id,
  month,
  build,
  source_id,
  host,
  page_id,
  agent_key,
  status,
  requests,
  first_at,
  last_at
)
SELECT site_id, toStartOfMonth(day) AS month, {p0:UInt64}, source_id, host, page_id, agent_key, status,
  sum(requests), min(first_at), max(last_at)
FROM spoor.page_outcomes_daily
WHERE site_id = {p1:UUID} AND (day, build) IN {p2:Array(Tuple(Date, UInt64))}
GROUP BY site_id, month, source_id, host, page_id, agent_key, status;
