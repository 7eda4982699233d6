SET param_p0 = '[\'00000000-0000-4000-8000-000000000001\']';
SET param_p1 = '[\'2026-03-03\']';
SET param_p2 = '[(\'00000000-0000-4000-8000-000000000001\',\'2026-03-03\',11)]';
SELECT `site_id`, `day`
FROM spoor.page_outcomes_daily
WHERE (
  (site_id IN {p0:Array(UUID)})
  AND (day IN {p1:Array(Date)})
  AND ((site_id, day, build) IN {p2:Array(Tuple(UUID, Date, UInt64))})
);
