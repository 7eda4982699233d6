SET param_p0 = '30';
SET param_p1 = '00000000-0000-4000-8000-000000000001';
SET param_p2 = '[\'2026-03-03\']';
SELECT toUInt32(intDiv(toUnixTimestamp(received_at), {p0:UInt64})) AS span, count() AS requests,
  toString(sum(toUInt64(event))) AS sum
FROM spoor.requests
WHERE site_id = {p1:UUID} AND day IN {p2:Array(Date)}
GROUP BY span
ORDER BY span;
