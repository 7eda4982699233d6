SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '[\'2026-03-03\']';
SELECT toUInt64(toUnixTimestamp64Milli(max(at))) AS last_ms
FROM spoor.requests
WHERE site_id = {p0:UUID} AND day IN {p1:Array(Date)};
