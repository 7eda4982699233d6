SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '00000000-0000-4000-8000-000000000001';
SELECT 'requests' AS kind, count() AS stored, toString(min(day)) AS first_day, toString(max(day)) AS last_day FROM spoor.requests FINAL WHERE site_id = {p0:UUID} HAVING stored > 0
UNION ALL
SELECT 'events' AS kind, count() AS stored, toString(min(day)) AS first_day, toString(max(day)) AS last_day FROM spoor.events FINAL WHERE site_id = {p1:UUID} HAVING stored > 0;
