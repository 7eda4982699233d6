SET param_p0 = '10';
SET param_p1 = '00000000-0000-4000-8000-000000000001';
SET param_p2 = '2026-03-03';
SET param_p3 = '[\'202611_1_1_0\']';
SELECT _part AS part,
  toUInt32(intDiv(toUnixTimestamp(received_at), {p0:UInt64})) AS span, count() AS requests,
  toString(sum(toUInt64(event))) AS sum, toUInt64(toUnixTimestamp64Milli(max(at))) AS last_ms
FROM spoor.requests
WHERE site_id = {p1:UUID} AND day = {p2:Date} AND _part NOT IN {p3:Array(String)}
GROUP BY part, span;
