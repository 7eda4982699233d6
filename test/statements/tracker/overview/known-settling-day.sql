SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '[\'2026-03-03\']';
SET param_p2 = '2026-03-03 12:00:00.000';
SET param_p3 = '2026-03-03 11:00:00.000';
SET param_p4 = '00000000-0000-4000-8000-000000000001';
SET param_p5 = '[\'2026-03-03\']';
SET param_p6 = '2026-03-03 12:00:00.000';
SET param_p7 = '2026-03-03 11:29:00.000';
SET param_p8 = '00000000-0000-4000-8000-000000000001';
SET param_p9 = '[\'2026-03-03\']';
SET param_p10 = '2026-03-03 12:00:00.000';
SET param_p11 = '1800000';
SET param_p12 = '2026-03-03';
SET param_p13 = '1800000';
SET param_p14 = '1772539140000';
SET param_p15 = '2026-03-03';
SET param_p16 = '00000000-0000-4000-8000-000000000001';
SET param_p17 = '[\'2026-03-03\']';
SET param_p18 = '[3,4]';
SET param_p19 = '00000000-0000-4000-8000-000000000001';
SET param_p20 = '[\'2026-03-03\']';
SET param_p21 = '2026-03-03 12:00:00.000';
SET param_p22 = '2026-03-03 11:29:00.000';
SET param_p23 = '1800000';
SET param_p24 = '1772539200000';
SET param_p25 = '2026-03-03 12:00:00.000';
WITH
  -- Events of visitors on the days that are read from facts, each once.
  visitor_events AS (
    SELECT day, visitor, received_at, seq, kind = 'pageview' AS is_pageview, 0 AS is_marked, kind = 'pageview' AS carried
    FROM spoor.events FINAL
      PREWHERE id IN (
        SELECT id
        FROM spoor.events
        WHERE ((((site_id = {p0:UUID}) AND (day IN {p1:Array(Date)}) AND (stream = 'browser') AND (received_at <= {p2:DateTime64(3, 'UTC')}))) AND (received_at >= {p3:DateTime64(3, 'UTC')}) AND (visitor IN (
          SELECT visitor
          FROM spoor.events
          WHERE (
            (
              (
                (site_id = {p4:UUID})
                AND (day IN {p5:Array(Date)})
                AND (stream = 'browser')
                AND (received_at <= {p6:DateTime64(3, 'UTC')})
              )
            )
            AND (received_at > {p7:DateTime64(3, 'UTC')})
          )
        )))
      )
    WHERE (
      (site_id = {p8:UUID})
      AND (day IN {p9:Array(Date)})
      AND (stream = 'browser')
      AND (received_at <= {p10:DateTime64(3, 'UTC')})
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
        (event, silence) -> silence >= {p11:UInt64},
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
    WHERE ((day != {p12:Date}) OR ((toUInt64(bitShiftRight(session_events[-1], 86)) + {p13:UInt64} > {p14:UInt64})))
  ),
  -- What counts of each session.
  measured_sessions AS (
    SELECT day, session = 1 AND NOT (day = {p15:Date} AND visitor IN (
      SELECT visitor
      FROM spoor.sessions
      WHERE ((site_id = {p16:UUID}) AND (((day IN {p17:Array(Date)}) AND (build IN {p18:Array(UInt64)})))) AND visitor IN (
        SELECT visitor
        FROM spoor.events
        WHERE (
          (
            (
              (site_id = {p19:UUID})
              AND (day IN {p20:Array(Date)})
              AND (stream = 'browser')
              AND (received_at <= {p21:DateTime64(3, 'UTC')})
            )
          )
          AND (received_at > {p22:DateTime64(3, 'UTC')})
        )
      )
    )) AS is_first,
      arrayCount(event -> toUInt64(event) = 1, session_events) AS views,
      length(session_events) AS events,
      toUInt64(bitShiftRight(session_events[-1], 86)) AS ended_ms,
      ended_ms - toUInt64(bitShiftRight(session_events[1], 86)) AS lasted_ms,
      ((ended_ms + {p23:UInt64} <= {p24:UInt64}) OR (day < toDate({p25:DateTime64(3, 'UTC')}))) AS is_closed,
      0 AS is_converted
    FROM sessions
  )
SELECT day, countIf(is_first) AS visitors, count() AS sessions, countIf(is_closed) AS closed,
  sum(views) AS pageviews, sumIf(views, is_closed) AS closed_pageviews,
  countIf(is_closed AND views = 1 AND events = 1) AS bounces,
  countIf(is_closed AND events > 1) AS timed_sessions, sumIf(toUInt64(lasted_ms), is_closed AND events > 1) AS timed_ms,
  countIf(is_converted) AS converted
FROM measured_sessions
GROUP BY day;
