SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '00000000-0000-4000-8000-000000000001';
SET param_p2 = '00000000-0000-4000-8000-000000000001';
SET param_p3 = '10000';
SELECT DISTINCT toString(page_id) AS page_id
FROM spoor.pages
WHERE site_id = {p0:UUID}
  AND pages.page_id NOT IN (SELECT page_id FROM spoor.requests WHERE site_id = {p1:UUID})
  AND pages.page_id NOT IN (SELECT page_id FROM spoor.events WHERE site_id = {p2:UUID})
LIMIT {p3:UInt64};
