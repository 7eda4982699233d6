SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '[101,102]';
SELECT toString(page) AS page_id, any(host) AS host, any(path) AS path
FROM (SELECT page_id AS page, host, path FROM spoor.pages WHERE site_id = {p0:UUID} AND page_id IN {p1:Array(UInt64)})
GROUP BY page
ORDER BY page_id;
