SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '[\'00000000-0000-4000-8000-000000000021\']';
SET param_p2 = '[]';
SET param_p3 = '[]';
SET param_p4 = '2001';
SET param_p5 = '00000000-0000-4000-8000-000000000001';
SET param_p6 = '[\'2026-03-01\',\'2026-03-02\']';
SET param_p7 = '[11,12]';
SELECT * FROM (
  SELECT toString(definition_id) AS definition, toString(dimension) AS dimension, identity,
    sum(sessions) AS sessions, sum(events) AS events
  FROM spoor.definition_daily
  WHERE site_id = {p0:UUID} AND definition_id IN {p1:Array(UUID)} AND 0
    AND NOT (definition_id IN {p2:Array(UUID)} AND day IN {p3:Array(Date)})
  GROUP BY definition_id, dimension, identity
  ORDER BY sessions DESC, identity
  LIMIT {p4:UInt64} BY definition_id, dimension)
UNION ALL
SELECT 'all' AS definition, '' AS dimension, '' AS identity, sum(sessions) AS sessions, toUInt64(0) AS events
FROM spoor.tracker_daily
WHERE ((site_id = {p5:UUID}) AND (((day IN {p6:Array(Date)}) AND (build IN {p7:Array(UInt64)}))));
