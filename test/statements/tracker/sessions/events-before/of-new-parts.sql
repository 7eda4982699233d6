SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '2026-03-03';
SET param_p2 = '2026-03-03 12:00:00.000';
SET param_p3 = '[\'202611_1_1_0\']';
SET param_p4 = 'events';
SELECT _part AS part, count() AS rows, toString(sum(cityHash64(id, received_at))) AS sum
FROM spoor.events
WHERE site_id = {p0:UUID} AND day = {p1:Date} AND stream = 'browser' AND received_at < {p2:DateTime64(3, 'UTC')}
  AND _part NOT IN {p3:Array(String)}
GROUP BY part
UNION ALL
SELECT name, 0, '0'
FROM system.parts
WHERE database = 'spoor' AND table = {p4:String} AND active;
