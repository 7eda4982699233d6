SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '[101,102]';
SELECT toString(page_id) AS page_id, host AS hostname, path, toString(path_fidelity) AS path_fidelity
FROM spoor.pages FINAL
WHERE site_id = {p0:UUID} AND page_id IN {p1:Array(UInt64)};
