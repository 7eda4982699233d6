SET param_p0 = '10';
SET param_p1 = '00000000-0000-4000-8000-000000000001';
SET param_p2 = '2026-03-03';
SET param_p3 = '[\'202611_1_1_0\']';
SET param_p4 = 'requests';
SELECT _part AS part,
  toUInt32(intDiv(toUnixTimestamp(received_at), {p0:UInt64})) AS span, count() AS rows,
  toString(sum(cityHash64(event, received_at))) AS sum, toUInt64(toUnixTimestamp64Milli(max(at))) AS last_ms
FROM spoor.requests
WHERE site_id = {p1:UUID} AND day = {p2:Date} AND _part NOT IN {p3:Array(String)}
GROUP BY part, span
UNION ALL
SELECT name, 0, 0, '0', 0
FROM system.parts
WHERE database = 'spoor' AND table = {p4:String} AND active;
