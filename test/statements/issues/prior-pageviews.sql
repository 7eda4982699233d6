SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '[101,102]';
SET param_p2 = '[(\'2026-03-01\',11),(\'2026-03-02\',12)]';
SELECT toString(page) AS page_id, toString(on_day) AS day, sum(views) AS pageviews
FROM (
  SELECT page_id AS page, day AS on_day, pageviews AS views
  FROM spoor.tracker_page_daily
  WHERE site_id = {p0:UUID} AND page_id IN {p1:Array(UInt64)}
    AND (day, build) IN {p2:Array(Tuple(Date, UInt64))}
)
GROUP BY page, on_day
ORDER BY page_id, day;
