SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '11';
SET param_p2 = '00000000-0000-4000-8000-000000000001';
SET param_p3 = '[\'2026-03-01\']';
SET param_p4 = '11';
INSERT INTO spoor.crawler_daily (site_id, day, build, source_id, host, agent_key, status, path_class, requests)
SELECT {p0:UUID}, day, {p1:UInt64}, any(source_id), any(host), agent_key, status, path_class, sum(requests)
FROM spoor.page_outcomes_daily
WHERE site_id = {p2:UUID} AND day IN {p3:Array(Date)} AND build = {p4:UInt64}
GROUP BY day, agent_key, status, path_class, cityHash64(source_id) + cityHash64(host)
  SETTINGS max_threads = 1;
