SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '2026-03-01';
SET param_p2 = '21';
SET param_p3 = '00000000-0000-4000-8000-000000000001';
SET param_p4 = '[(\'2026-03-01\',11),(\'2026-03-02\',12)]';
SET param_p5 = '0';
SET param_p6 = '10';
SET param_p7 = '00000000-0000-4000-8000-000000000001';
SET param_p8 = '[(\'2026-03-01\',11),(\'2026-03-02\',12)]';
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
SELECT {p0:UUID}, {p1:Date}, {p2:UInt64}, source_id, host, page_id, agent_key, status, requests, first_at, last_at
FROM (
  SELECT page_id, agent_key, status, slice,
    sum(requests) AS requests, min(first_at) AS first_at, max(last_at) AS last_at
  FROM spoor.page_outcomes_daily
  WHERE
    site_id = {p3:UUID} AND (day, build) IN {p4:Array(Tuple(Date, UInt64))} AND page_id BETWEEN {p5:UInt64} AND {p6:UInt64}
  GROUP BY page_id, agent_key, status, cityHash64(source_id) + cityHash64(host) AS slice
) AS sums
INNER JOIN (
  SELECT source_id, host, cityHash64(source_id) + cityHash64(host) AS slice FROM spoor.crawler_daily WHERE
    site_id = {p7:UUID} AND (day, build) IN {p8:Array(Tuple(Date, UInt64))} LIMIT 1 BY slice
) AS slices USING (slice)
  SETTINGS max_threads = 1, group_by_two_level_threshold = 0, group_by_two_level_threshold_bytes = 0;
