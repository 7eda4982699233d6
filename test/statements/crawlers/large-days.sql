SET param_p0 = '2026-03-03';
SET param_p1 = '200000';
SET param_p2 = '20';
SELECT toString(site_id) AS site_id
FROM spoor.requests
WHERE day = {p0:Date}
GROUP BY site_id
HAVING count() >= {p1:UInt64}
ORDER BY count() DESC
LIMIT {p2:UInt64};
