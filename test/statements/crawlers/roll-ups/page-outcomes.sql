SET param_p0 = '11';
SET param_p1 = '00000000-0000-4000-8000-000000000001';
SET param_p2 = '[\'2026-03-01\']';
SET param_p3 = '[7]';
INSERT INTO spoor.page_outcomes_daily (site_id, day, build, source_id, host, page_id, agent_key, status, method_class, edge_action,
  path_class, requests, first_at, last_at)
SELECT site_id, day, {p0:UInt64}, source_id, host, page_id, agent_key, status, multiIf(
  method = 'GET',
  'get',
  method = 'HEAD',
  'head',
  method IN ('', 'UNKNOWN'),
  'unknown',
  'other'
) AS method_class,
  edge_action, path_class, sum(requests), min(at), max(at)
FROM spoor.requests FINAL
WHERE site_id = {p1:UUID} AND day IN {p2:Array(Date)} AND ((reading = 0) OR (reading IN {p3:Array(UInt64)}))
GROUP BY site_id, day, source_id, host, page_id, agent_key, status, method_class, edge_action, path_class;
