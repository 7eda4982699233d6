SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '[\'2026-03-03\']';
SET param_p2 = '[3,4,5]';
SET param_p3 = '00000000-0000-4000-8000-000000000001';
SET param_p4 = '[\'2026-03-03\']';
SET param_p5 = '[3,4,5]';
SET param_p6 = '5';
SET param_p7 = '5';
SET param_p8 = '5';
SET param_p9 = '100';
WITH
  -- Closed sessions by journey, in parts.
  counted AS (
    SELECT bitOr(bitShiftLeft(bitOr(bitShiftRight(journey, 1), 1), 1), toUInt8(is_continued)) AS journey, sessions
    FROM spoor.journey_daily
    WHERE ((site_id = {p0:UUID}) AND (((day IN {p1:Array(Date)}) AND (build IN {p2:Array(UInt64)}))))
    UNION ALL
    SELECT toUInt64(0), sum(sessions)
    FROM spoor.tracker_daily
    WHERE ((site_id = {p3:UUID}) AND (((day IN {p4:Array(Date)}) AND (build IN {p5:Array(UInt64)}))))
  ),
  -- Each journey once; 0 is every closed session.
  journeys AS (
    SELECT journey, journey > 1 AS is_walked, sum(sessions) AS sessions
    FROM counted
    GROUP BY journey
  )
SELECT
  sumIf(sessions, journey = 0) AS closed,
  sumIf(sessions, is_walked = 1 AND sessions < {p6:UInt64}) AS grouped,
  countIf(is_walked = 1 AND sessions >= {p7:UInt64}) AS sequences,
  arrayMap(
    ranked -> (toString(ranked.journey), toUInt8(ranked.journey % 2), toString(-ranked.rank))::Tuple(
      journey String, is_continued UInt8, sessions String
    ),
    arraySlice(
      arraySort(
        groupArrayIf(
          (-toInt64(sessions), journey)::Tuple(rank Int64, journey UInt64),
          is_walked = 1 AND sessions >= {p8:UInt64}
        )
      ), 1, {p9:UInt64}
    )
  ) AS first
FROM journeys;
