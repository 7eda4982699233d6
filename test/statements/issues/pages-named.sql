SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '[(\'example.com\',\'/robots.txt\')]';
SELECT toString(page) AS page_id, any(on_host) AS host, any(at_path) AS path
FROM (
  SELECT page_id AS page, host AS on_host, path AS at_path
  FROM spoor.pages
  WHERE site_id = {p0:UUID} AND (host, path) IN {p1:Array(Tuple(String, String))}
)
GROUP BY page
ORDER BY page_id;
