SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '[(\'2026-03-01\',11),(\'2026-03-02\',12)]';
SET param_p2 = '2026-03-01';
SET param_p3 = '2026-03-03';
SET param_p4 = '[\'00000000-0000-4000-8000-000000000041\']';
SET param_p5 = '2026-03-01';
SET param_p6 = '2026-03-03 12:00:00.000';
SET param_p7 = '[101,102]';
SELECT toString(page) AS page_id, toString(on_day) AS day, sum(requests) AS open,
  sumIf(requests, status != 304) AS successes, toUnixTimestamp64Milli(min(first_at)) AS first_ms
FROM (
  SELECT page_id AS page, day AS on_day, requests, status, first_at
  FROM spoor.page_outcomes_daily
  WHERE (
    (site_id = {p0:UUID})
    AND ((day, build) IN {p1:Array(Tuple(Date, UInt64))})
    AND (((((day BETWEEN {p2:Date} AND {p3:Date})) AND (source_id IN {p4:Array(UUID)}))))
  ) AND day >= {p5:Date} AND method_class IN ('get', 'head')
    AND first_at <= {p6:DateTime64(3, 'UTC')} AND page_id IN {p7:Array(UInt64)}
    AND (status BETWEEN 200 AND 299 OR status = 304) AND status != 202
    AND NOT ifNull(edge_action IN ('block', 'challenge'), 0)
)
GROUP BY page, on_day
ORDER BY page_id, day;
