SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '2026-03-03';
SET param_p2 = '2026-03-03 12:00:00.000';
SELECT '' AS part, count() AS rows, toString(sum(cityHash64(id, received_at))) AS sum
FROM spoor.events
WHERE site_id = {p0:UUID} AND day = {p1:Date} AND stream = 'browser' AND received_at < {p2:DateTime64(3, 'UTC')}
GROUP BY part;
