SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '[\'2026-03-01\']';
SET param_p2 = '[11]';
INSERT INTO spoor.tracker_daily (
  site_id,
  day,
  build,
  visitors,
  sessions,
  pageviews,
  bounces,
  timed_sessions,
  timed_ms,
  timed_pageviews
)
SELECT site_id, day, build, countIf(session = 1), count(), sum(pageviews), countIf(pageviews = 1 AND events = 1),
  countIf(events > 1), sumIf(
    toUInt64(dateDiff('millisecond', started_at, ended_at)),
    events > 1
  ), sumIf(pageviews, events > 1)
FROM spoor.sessions WHERE ((site_id = {p0:UUID}) AND (((day IN {p1:Array(Date)}) AND (build IN {p2:Array(UInt64)}))))
GROUP BY site_id, day, build;
