SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '[\'00000000-0000-4000-8000-000000000021\',\'00000000-0000-4000-8000-000000000022\']';
SET param_p2 = '[\'2026-03-01\']';
SET param_p3 = '[31]';
SET param_p4 = '[\'00000000-0000-4000-8000-000000000022\']';
SET param_p5 = '[\'2026-03-02\']';
SET param_p6 = '2001';
SET param_p7 = '00000000-0000-4000-8000-000000000001';
SET param_p8 = '[\'2026-03-01\',\'2026-03-02\']';
SET param_p9 = '[11,12]';
SET param_p10 = '00000000-0000-4000-8000-000000000001';
SET param_p11 = '[\'2026-03-03\']';
SET param_p12 = '2026-03-03 12:00:00.000';
SET param_p13 = '1800000';
SELECT * FROM (
  SELECT toString(definition_id) AS definition, toString(dimension) AS dimension, identity,
    sum(sessions) AS sessions, sum(events) AS events
  FROM spoor.definition_daily
  WHERE site_id = {p0:UUID} AND definition_id IN {p1:Array(UUID)} AND (
    ((day IN {p2:Array(Date)}) AND (build IN {p3:Array(UInt64)}))
  )
    AND NOT (definition_id IN {p4:Array(UUID)} AND day IN {p5:Array(Date)})
  GROUP BY definition_id, dimension, identity
  ORDER BY sessions DESC, identity
  LIMIT {p6:UInt64} BY definition_id, dimension)
UNION ALL
SELECT 'all' AS definition, '' AS dimension, '' AS identity, sum(sessions) AS sessions, toUInt64(0) AS events
FROM spoor.tracker_daily
WHERE ((site_id = {p7:UUID}) AND (((day IN {p8:Array(Date)}) AND (build IN {p9:Array(UInt64)}))))
UNION ALL
SELECT 'all' AS definition, '' AS dimension, '' AS identity, sessions, toUInt64(0) AS events
FROM (
  WITH
    -- Events of visitors on the days that are read from facts, each once.
    visitor_events AS (
      SELECT day, visitor, received_at
      FROM spoor.events FINAL
      WHERE (
        (site_id = {p10:UUID})
        AND (day IN {p11:Array(Date)})
        AND (stream = 'browser')
        AND (received_at <= {p12:DateTime64(3, 'UTC')})
      )
    ),
    -- One row for each visitor and UTC day, with the visitor's events in order of receipt.
    visits AS (
      SELECT day, visitor, arraySort(groupArray(toUnixTimestamp64Milli(received_at))) AS visit_events
      FROM visitor_events
      GROUP BY day, visitor
    )
  SELECT toUInt64(sum(1 + arrayCount(silence -> silence >= {p13:UInt64}, arrayDifference(visit_events)))) AS sessions
  FROM visits);
