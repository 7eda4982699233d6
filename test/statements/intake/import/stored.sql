SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '2026-03-01';
SET param_p2 = '2026-03-02';
SET param_p3 = '00000000-0000-4000-8000-000000000051';
SELECT toString(agent_key) AS agent_key, count() AS stored
FROM spoor.requests
WHERE site_id = {p0:UUID} AND day BETWEEN {p1:Date} AND {p2:Date} AND delivery_id = {p3:UUID}
GROUP BY agent_key
ORDER BY agent_key;
