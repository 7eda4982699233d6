SET param_p0 = '[\'00000000-0000-4000-8000-000000000001\']';
SET param_p1 = '[(\'00000000-0000-4000-8000-000000000001\',\'2026-03-01\',21)]';
DELETE FROM spoor.page_monthly WHERE site_id IN {p0:Array(UUID)} AND (site_id, month, build) IN {p1:Array(Tuple(UUID, Date, UInt64))};
