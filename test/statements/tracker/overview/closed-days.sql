SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '[\'2026-03-01\',\'2026-03-02\']';
SET param_p2 = '[11,12]';
SELECT day, visitors, sessions, sessions AS closed, pageviews, pageviews AS closed_pageviews,
  bounces AS bounces, timed_sessions AS timed_sessions, timed_ms AS timed_ms,
  toUInt64(0) AS converted
FROM spoor.tracker_daily
WHERE ((site_id = {p0:UUID}) AND (((day IN {p1:Array(Date)}) AND (build IN {p2:Array(UInt64)}))));
