SET param_p0 = '00000000-0000-4000-8000-000000000051';
SET param_p1 = '202603';
SET param_p2 = '2026-03-01';
SET param_p3 = '2026-03-02';
SELECT count() AS rows FROM spoor.import_rows WHERE
  delivery_id = {p0:UUID} AND toYYYYMM(day) = {p1:UInt64} AND day BETWEEN {p2:Date} AND {p3:Date};
