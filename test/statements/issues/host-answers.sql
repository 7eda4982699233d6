SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '[(\'2026-03-01\',11),(\'2026-03-02\',12)]';
SET param_p2 = '2026-03-01';
SET param_p3 = '2026-03-03';
SET param_p4 = '[\'00000000-0000-4000-8000-000000000041\']';
SET param_p5 = '2026-03-01';
SET param_p6 = '[\'example.com\']';
SELECT toString(on_host) AS host, is_success, toUnixTimestamp64Milli(min(first_at)) AS first_ms,
  toUnixTimestamp64Milli(max(last_at)) AS last_ms
FROM (
  SELECT host AS on_host, day AS on_day, status BETWEEN 200 AND 399 AS is_success, first_at, last_at
  FROM spoor.page_outcomes_daily
  WHERE (
    (site_id = {p0:UUID})
    AND ((day, build) IN {p1:Array(Tuple(Date, UInt64))})
    AND (((((day BETWEEN {p2:Date} AND {p3:Date})) AND (source_id IN {p4:Array(UUID)}))))
  ) AND day >= {p5:Date} AND host IN {p6:Array(String)} AND status != 0
)
GROUP BY on_host, on_day, is_success
ORDER BY host, first_ms, is_success;
