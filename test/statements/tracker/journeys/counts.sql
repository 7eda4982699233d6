SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '[\'2026-03-03\']';
SET param_p2 = '2026-03-03 12:00:00.000';
SET param_p3 = '1800000';
SET param_p4 = '10';
SET param_p5 = '10';
SET param_p6 = '1800000';
SET param_p7 = '1772539200000';
SET param_p8 = '2026-03-03 12:00:00.000';
SET param_p9 = '00000000-0000-4000-8000-000000000001';
SET param_p10 = '[\'2026-03-01\',\'2026-03-02\']';
SET param_p11 = '[11,12]';
SET param_p12 = '00000000-0000-4000-8000-000000000001';
SET param_p13 = '[\'2026-03-01\',\'2026-03-02\']';
SET param_p14 = '[11,12]';
SET param_p15 = '5';
SET param_p16 = '5';
SET param_p17 = '5';
SET param_p18 = '100';
WITH
  -- Events of visitors on the days that are read from facts, each once.
  visitor_events AS (
    SELECT day, visitor, received_at, seq, kind = 'pageview' AS is_pageview, 0 AS is_marked, if(kind = 'pageview', page_id, 0) AS carried
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
        (event, silence) -> silence >= {p3:UInt64},
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
  ),
  -- The pages of each closed session, consecutive repeats folded, cut where a journey is.
  walks AS (
    SELECT day, arrayCompact(arrayFilter(page -> page != 0, arrayMap(event -> toUInt64(event), session_events))) AS folded,
      arraySlice(folded, 1, {p4:UInt64}) AS pages,
      toUInt8(length(folded) > {p5:UInt64}) AS is_continued
    FROM sessions
    WHERE (
      (toUInt64(bitShiftRight(session_events[-1], 86)) + {p6:UInt64} <= {p7:UInt64})
      OR (day < toDate({p8:DateTime64(3, 'UTC')}))
    )
  ),
  -- Closed sessions by journey, in parts.
  counted AS (
    SELECT bitOr(bitShiftLeft(bitOr(bitShiftRight(journey, 1), 1), 1), toUInt8(is_continued)) AS journey, sessions
    FROM spoor.journey_daily
    WHERE ((site_id = {p9:UUID}) AND (((day IN {p10:Array(Date)}) AND (build IN {p11:Array(UInt64)}))))
    UNION ALL
    SELECT toUInt64(0), sum(sessions)
    FROM spoor.tracker_daily
    WHERE ((site_id = {p12:UUID}) AND (((day IN {p13:Array(Date)}) AND (build IN {p14:Array(UInt64)}))))
    UNION ALL
    SELECT arrayJoin(
      if(
        empty(pages),
        [toUInt64(0)],
        [toUInt64(0), bitOr(bitShiftLeft(bitOr(bitShiftRight(cityHash64(pages), 1), 1), 1), toUInt8(is_continued))]
      )
    ) AS key, count()
    FROM walks
    GROUP BY key
  ),
  -- Each journey once; 0 is every closed session.
  journeys AS (
    SELECT journey, journey > 1 AS is_walked, sum(sessions) AS sessions
    FROM counted
    GROUP BY journey
  )
SELECT
  sumIf(sessions, journey = 0) AS closed,
  sumIf(sessions, is_walked = 1 AND sessions < {p15:UInt64}) AS grouped,
  countIf(is_walked = 1 AND sessions >= {p16:UInt64}) AS sequences,
  arrayMap(
    ranked -> (toString(ranked.journey), toUInt8(ranked.journey % 2), toString(-ranked.rank))::Tuple(
      journey String, is_continued UInt8, sessions String
    ),
    arraySlice(
      arraySort(
        groupArrayIf(
          (-toInt64(sessions), journey)::Tuple(rank Int64, journey UInt64),
          is_walked = 1 AND sessions >= {p17:UInt64}
        )
      ), 1, {p18:UInt64}
    )
  ) AS first
FROM journeys;
