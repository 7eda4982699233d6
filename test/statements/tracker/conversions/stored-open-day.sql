SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '[\'2026-03-03\']';
SET param_p2 = '2026-03-03 12:00:00.000';
SET param_p3 = '1800000';
SELECT 'all' AS definition, '' AS dimension, '' AS identity, sessions, toUInt64(0) AS events
FROM (
  WITH
    -- Events of visitors on the days that are read from facts, each once.
    visitor_events AS (
      SELECT day, visitor, received_at
      FROM spoor.events FINAL
      WHERE (
        (site_id = {p0:UUID})
        AND (day IN {p1:Array(Date)})
        AND (stream = 'browser')
        AND (received_at <= {p2:DateTime64(3, 'UTC')})
      )
    ),
    -- One row for each visitor and UTC day, with the visitor's events in order of receipt.
    visits AS (
      SELECT day, visitor, arraySort(groupArray(toUnixTimestamp64Milli(received_at))) AS visit_events
      FROM visitor_events
      GROUP BY day, visitor
    )
  SELECT toUInt64(sum(1 + arrayCount(silence -> silence >= {p3:UInt64}, arrayDifference(visit_events)))) AS sessions
  FROM visits);
