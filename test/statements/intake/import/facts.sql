SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '00000000-0000-4000-8000-000000000041';
SET param_p2 = '2026-03-03 12:00:00.000';
SET param_p3 = '00000000-0000-4000-8000-000000000051';
SET param_p4 = '202603';
SET param_p5 = '2026-03-01';
SET param_p6 = '2026-03-02';
SET param_p7 = '00000000-0000-4000-8000-000000000051';
SET param_p8 = '202603';
SET param_p9 = '2026-03-01';
SET param_p10 = '2026-03-02';
SET param_p11 = '00000000-0000-4000-8000-000000000051';
SET param_p12 = '202603';
SET param_p13 = '2026-03-01';
SET param_p14 = '2026-03-02';
SET param_p15 = '00000000-0000-4000-8000-000000000001';
SET param_p16 = '2026-03-01';
SET param_p17 = '2026-03-02';
INSERT INTO spoor.requests
  (site_id, day, event, at, precision, source_id, delivery_id, reading, requests, provider_estimate,
    host, path, path_fidelity, path_class, status, status_raw, method, edge_action, user_agent, agent_key, received_at)
SELECT
  {p0:UUID}, day, event, fromUnixTimestamp64Milli(at_ms, 'UTC'), 'exact', {p1:UUID}, delivery_id, 0, 1, NULL,
  host, path, path_fidelity, path_class, status, status_raw, method, edge_action, user_agent, agent_key, {p2:DateTime64(3, 'UTC')}
FROM (
  SELECT *, day, reinterpretAsUInt128(sipHash128(line_hash, ifNull(ordinal, toUInt64(1)))) AS event
  FROM (SELECT *, day FROM spoor.import_rows WHERE
    delivery_id = {p3:UUID} AND toYYYYMM(day) = {p4:UInt64} AND day BETWEEN {p5:Date} AND {p6:Date}) AS lines
    ANY LEFT JOIN (
      SELECT line_number, row_number() OVER (PARTITION BY line_hash ORDER BY line_number) AS ordinal
      FROM spoor.import_rows
      WHERE
        delivery_id = {p7:UUID} AND toYYYYMM(day) = {p8:UInt64} AND day BETWEEN {p9:Date} AND {p10:Date} AND line_hash IN (
          SELECT line_hash FROM spoor.import_rows
          WHERE
            delivery_id = {p11:UUID} AND toYYYYMM(day) = {p12:UInt64} AND day BETWEEN {p13:Date} AND {p14:Date}
          GROUP BY line_hash
          HAVING count() > 1)
    ) AS ordinals USING (line_number)) AS identified
WHERE event NOT IN (SELECT event FROM spoor.requests WHERE
  site_id = {p15:UUID} AND day BETWEEN {p16:Date} AND {p17:Date})
  SETTINGS join_algorithm = 'grace_hash', max_bytes_in_join = 104857600;
