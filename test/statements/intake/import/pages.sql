SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '00000000-0000-4000-8000-000000000051';
SET param_p2 = '2026-03-01';
SET param_p3 = '2026-03-02';
INSERT INTO spoor.pages (site_id, page_id, host, path, path_fidelity, path_class)
SELECT {p0:UUID}, page_id, any(host), any(path), any(path_fidelity), any(path_class)
FROM (SELECT cityHash64(host, path) AS page_id, host, path, path_fidelity, path_class
  FROM spoor.import_rows
  WHERE delivery_id = {p1:UUID} AND day BETWEEN {p2:Date} AND {p3:Date}) AS lines
GROUP BY page_id;
