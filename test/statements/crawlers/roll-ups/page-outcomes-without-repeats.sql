SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '11';
SET param_p2 = '00000000-0000-4000-8000-000000000001';
SET param_p3 = '[\'2026-03-01\']';
SET param_p4 = '[7]';
SET param_p5 = '00000000-0000-4000-8000-000000000001';
SET param_p6 = '[\'2026-03-01\']';
SET param_p7 = '[7]';
INSERT INTO spoor.page_outcomes_daily (site_id, day, build, source_id, host, page_id, agent_key, status, method_class, edge_action,
  path_class, requests, first_at, last_at)
SELECT {p0:UUID}, day, {p1:UInt64}, source_id, host, page_id, agent_key, status, method_number, nullIf(edge_number, 0),
  path_class, requests, first_at, last_at
FROM (
  SELECT day, page_id, agent_key, status, method_number, edge_number, path_class, slice,
    sum(requests) AS requests, min(at) AS first_at, max(at) AS last_at
  FROM spoor.requests
  WHERE site_id = {p2:UUID} AND day IN {p3:Array(Date)} AND ((reading = 0) OR (reading IN {p4:Array(UInt64)}))
  GROUP BY day, page_id, agent_key, status, CAST(
    transform(method, ['GET', 'HEAD', '', 'UNKNOWN'], [1, 2, 4, 4], 3) AS UInt8
  ) AS method_number, ifNull(toUInt8(edge_action), 0) AS edge_number,
    path_class, cityHash64(source_id) + cityHash64(host) AS slice
) AS outcomes
INNER JOIN (
  SELECT source_id, host, cityHash64(source_id) + cityHash64(host) AS slice FROM spoor.requests WHERE site_id = {p5:UUID} AND day IN {p6:Array(Date)} AND (
    (reading = 0)
    OR (reading IN {p7:Array(UInt64)})
  ) LIMIT 1 BY slice
) AS slices USING (slice)
  SETTINGS max_threads = 1, group_by_two_level_threshold = 0, group_by_two_level_threshold_bytes = 0;
