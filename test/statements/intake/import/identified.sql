SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '2026-03-01';
SET param_p2 = '2026-03-02';
SET param_p3 = '00000000-0000-4000-8000-000000000001';
SET param_p4 = '2026-03-01';
SET param_p5 = '2026-03-02';
SET param_p6 = '00000000-0000-4000-8000-000000000051';
SET param_p7 = '202603';
SET param_p8 = '2026-03-01';
SET param_p9 = '2026-03-02';
SELECT toString(agent_key) AS agent_key, countIf(event NOT IN (
  SELECT event FROM spoor.requests
  WHERE site_id = {p0:UUID} AND day BETWEEN {p1:Date} AND {p2:Date})) AS fresh, countIf(event IN (
    SELECT event FROM spoor.requests
    WHERE site_id = {p3:UUID} AND day BETWEEN {p4:Date} AND {p5:Date})) AS known
FROM (
  SELECT
    *,
    day,
    reinterpretAsUInt128(
      sipHash128(line_hash, row_number() OVER (PARTITION BY delivery_id, toYYYYMM(day), line_hash ORDER BY line_number))
    ) AS event
  FROM spoor.import_rows
  WHERE
    delivery_id = {p6:UUID} AND toYYYYMM(day) = {p7:UInt64} AND day BETWEEN {p8:Date} AND {p9:Date}) AS identified
GROUP BY agent_key
ORDER BY agent_key;
