SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '[(\'2026-03-01\',11),(\'2026-03-02\',12)]';
SELECT count() AS built FROM spoor.page_outcomes_daily WHERE
  site_id = {p0:UUID} AND (day, build) IN {p1:Array(Tuple(Date, UInt64))};
