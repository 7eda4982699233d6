SET param_p0 = '00000000-0000-4000-8000-000000000001';
SELECT count() AS paths, concat(toString(count()), ' ', toString(groupBitXor(page_id))) AS digest
FROM spoor.pages FINAL
WHERE site_id = {p0:UUID} AND path_fidelity = 'redacted';
