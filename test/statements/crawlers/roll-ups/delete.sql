SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '11';
SET param_p2 = '[\'2026-03-01\']';
DELETE FROM spoor.page_daily WHERE site_id = {p0:UUID} AND build = {p1:UInt64} AND day IN {p2:Array(Date)};
