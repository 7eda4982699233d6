SET param_p0 = '00000000-0000-4000-8000-000000000061';
SET param_p1 = '00000000-0000-4000-8000-000000000062';
SET param_p2 = 'google';
SET param_p3 = 'sc-domain:example.com';
SET param_p4 = 'web';
SET param_p5 = 'page';
SET param_p6 = '[\'2026-03-01\']';
SET param_p7 = '1772000000000';
DELETE FROM spoor.search_rows
WHERE account_id = {p0:UUID} AND brand_id = {p1:UUID} AND source = {p2:String} AND property = {p3:String} AND search_type = {p4:String}
  AND dimensions = {p5:String} AND day IN {p6:Array(Date)} AND revision < {p7:UInt64};
