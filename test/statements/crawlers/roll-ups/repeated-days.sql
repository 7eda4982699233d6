SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '[\'2026-03-01\']';
SELECT toString(day) AS name
FROM spoor.requests
WHERE site_id = {p0:UUID} AND day IN {p1:Array(Date)}
GROUP BY day
HAVING uniqExact(toUInt64(event)) < count();
