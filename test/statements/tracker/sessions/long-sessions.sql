SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '[\'2026-03-03\']';
SET param_p2 = '2026-03-03 12:00:00.000';
SET param_p3 = '00000000-0000-4000-8000-000000000001';
SET param_p4 = '[\'2026-03-03\']';
SET param_p5 = '2026-03-03 12:00:00.000';
SET param_p6 = '2026-03-03 11:30:00.000';
SET param_p7 = '00000000-0000-4000-8000-000000000001';
SET param_p8 = '[\'2026-03-03\']';
SET param_p9 = '2026-03-03 12:00:00.000';
SET param_p10 = '2026-03-03 11:30:00.000';
SET param_p11 = '00000000-0000-4000-8000-000000000001';
SET param_p12 = '[\'2026-03-03\']';
SET param_p13 = '2026-03-03 12:00:00.000';
SET param_p14 = '1800000';
SET param_p15 = '2026-03-03';
SET param_p16 = '1800000';
SET param_p17 = '1772539200000';
SET param_p18 = '00000000-0000-4000-8000-000000000001';
SET param_p19 = '[\'2026-03-03\']';
SET param_p20 = '[3,4]';
WITH
  -- Events of visitors on the days that are read from facts, each once.
  visitor_events AS (
    SELECT day, visitor, received_at, seq, kind = 'pageview' AS is_pageview, 0 AS is_marked, 0 AS carried
    FROM spoor.events FINAL
      PREWHERE id IN (
        SELECT id
        FROM spoor.events
        WHERE ((((site_id = {p0:UUID}) AND (day IN {p1:Array(Date)}) AND (stream = 'browser') AND (received_at <= {p2:DateTime64(3, 'UTC')}))) AND (visitor IN (
          SELECT visitor
          FROM spoor.events
          WHERE ((((site_id = {p3:UUID}) AND (day IN {p4:Array(Date)}) AND (stream = 'browser') AND (received_at <= {p5:DateTime64(3, 'UTC')}))) AND (received_at > {p6:DateTime64(3, 'UTC')}) AND (visitor IN (
            SELECT visitor
            FROM spoor.events
            WHERE (
              (
                (
                  (site_id = {p7:UUID})
                  AND (day IN {p8:Array(Date)})
                  AND (stream = 'browser')
                  AND (received_at <= {p9:DateTime64(3, 'UTC')})
                )
              )
              AND (received_at <= {p10:DateTime64(3, 'UTC')})
            )
          )))
        )))
      )
    WHERE (
      (site_id = {p11:UUID})
      AND (day IN {p12:Array(Date)})
      AND (stream = 'browser')
      AND (received_at <= {p13:DateTime64(3, 'UTC')})
    )
  ),
  -- One row for each visitor and UTC day, with the visitor's events in order of receipt.
  visits AS (
    SELECT day, visitor, arraySort(groupArray(
      bitShiftLeft(toUInt128(toUnixTimestamp64Milli(received_at)), 86) + bitShiftLeft(toUInt128(seq % 1048576), 66)
      + bitShiftLeft(toUInt128(is_pageview), 65) + bitShiftLeft(toUInt128(is_marked), 64) + toUInt64(carried)
    )) AS visit_events
    FROM visitor_events
    GROUP BY day, visitor
  ),
  -- The same, cut into sessions where no event came for 30 minutes.
  split_visits AS (
    SELECT day, visitor,
      arraySplit(
        (event, silence) -> silence >= {p14:UInt64},
        visit_events,
        arrayDifference(arrayMap(event -> toUInt64(bitShiftRight(event, 86)), visit_events))
      ) AS parts
    FROM visits
  ),
  -- One row for each session, numbered from 1 within visitor and day.
  sessions AS (
    SELECT day, visitor, session, session_events
    FROM split_visits
    ARRAY JOIN parts AS session_events, arrayEnumerate(parts) AS session
    WHERE ((day != {p15:Date}) OR ((toUInt64(bitShiftRight(session_events[-1], 86)) + {p16:UInt64} > {p17:UInt64})))
  )
SELECT min(toUInt64(bitShiftRight(session_events[1], 86))) AS first_ms,
  (
    SELECT sum(events)
    FROM spoor.sessions
    WHERE ((site_id = {p18:UUID}) AND (((day IN {p19:Array(Date)}) AND (build IN {p20:Array(UInt64)}))))
  ) AS settled_events
FROM sessions;
