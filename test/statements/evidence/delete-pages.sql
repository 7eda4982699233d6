SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '[7,8]';
DELETE FROM spoor.pages
WHERE site_id = {p0:UUID} AND page_id IN {p1:Array(UInt64)};
