SET param_p0 = '00000000-0000-4000-8000-000000000051';
SET param_p1 = '202603';
SET param_p2 = '2026-03-01';
SET param_p3 = '2026-03-02';
SET param_p4 = '00000000-0000-4000-8000-000000000001';
SET param_p5 = '2026-03-01';
SET param_p6 = '2026-03-02';
SET param_p7 = '00000000-0000-4000-8000-000000000001';
SET param_p8 = '2026-03-01';
SET param_p9 = '2026-03-02';
WITH reinterpretAsUInt128(sipHash128(line_hash, toUInt64(1))) AS event
SELECT count() AS lines, toUInt64(max(at_ms)) AS to
FROM spoor.import_rows
WHERE
  delivery_id = {p0:UUID} AND toYYYYMM(day) = {p1:UInt64} AND day BETWEEN {p2:Date} AND {p3:Date}
  AND event IN (SELECT event FROM spoor.requests WHERE
    site_id = {p4:UUID} AND day BETWEEN {p5:Date} - 2 AND {p6:Date} + 2)
  AND (event, fromUnixTimestamp64Milli(at_ms, 'UTC')) NOT IN (SELECT event, at FROM spoor.requests WHERE
    site_id = {p7:UUID} AND day BETWEEN {p8:Date} - 2 AND {p9:Date} + 2);
