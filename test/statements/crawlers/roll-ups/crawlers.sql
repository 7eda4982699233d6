SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '[\'2026-03-01\']';
SET param_p2 = '11';
INSERT INTO spoor.crawler_daily (site_id, day, build, source_id, host, agent_key, status, path_class, requests)
SELECT site_id, day, build, source_id, host, agent_key, status, path_class, sum(requests)
FROM spoor.page_outcomes_daily
WHERE site_id = {p0:UUID} AND day IN {p1:Array(Date)} AND build = {p2:UInt64}
GROUP BY site_id, day, build, source_id, host, agent_key, status, path_class;
