SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = 'example.com';
SET param_p2 = '/pricing';
SELECT toString(path_fidelity) AS path_fidelity, toString(path_class) AS path_class
FROM spoor.pages FINAL
WHERE ((site_id = {p0:UUID}) AND (host = {p1:String}) AND (path = {p2:String}))
ORDER BY path_fidelity
LIMIT 1;
