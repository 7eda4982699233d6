SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '10001';
SELECT toString(page_id) AS page_id, host AS hostname, path
FROM spoor.pages FINAL
WHERE site_id = {p0:UUID} AND path_fidelity = 'redacted'
LIMIT {p1:UInt64};
