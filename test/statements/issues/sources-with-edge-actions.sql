SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '[(\'2026-03-01\',11),(\'2026-03-02\',12)]';
SET param_p2 = '2026-03-01';
SET param_p3 = '2026-03-03';
SET param_p4 = '[\'00000000-0000-4000-8000-000000000041\']';
SET param_p5 = '2026-03-01';
SET param_p6 = '2026-03-03 12:00:00.000';
SET param_p7 = '[\'00000000-0000-4000-8000-000000000042\']';
SELECT toString(source) AS source_id
FROM (
  SELECT DISTINCT source_id AS source
  FROM spoor.page_outcomes_daily
  WHERE (
    (site_id = {p0:UUID})
    AND ((day, build) IN {p1:Array(Tuple(Date, UInt64))})
    AND (((((day BETWEEN {p2:Date} AND {p3:Date})) AND (source_id IN {p4:Array(UUID)}))))
  ) AND day >= {p5:Date} AND method_class IN ('get', 'head')
    AND first_at <= {p6:DateTime64(3, 'UTC')} AND source_id IN {p7:Array(UUID)} AND edge_action IS NOT NULL
)
ORDER BY source_id;
