SET param_p0 = '6';
SET param_p1 = '6';
SET param_p2 = '6';
SET param_p3 = '6';
SET param_p4 = '6';
SET param_p5 = '00000000-0000-4000-8000-000000000001';
SET param_p6 = '[\'2026-03-03\']';
SET param_p7 = '[3,4,5,6]';
SELECT day, visitors, sessions, if(build = {p0:UInt64}, 0, sessions) AS closed, pageviews, if(build = {p1:UInt64}, 0, pageviews) AS closed_pageviews,
  if(build = {p2:UInt64}, 0, bounces) AS bounces, if(build = {p3:UInt64}, 0, timed_sessions) AS timed_sessions, if(build = {p4:UInt64}, 0, timed_ms) AS timed_ms,
  toUInt64(0) AS converted
FROM spoor.tracker_daily
WHERE ((site_id = {p5:UUID}) AND (((day IN {p6:Array(Date)}) AND (build IN {p7:Array(UInt64)}))));
