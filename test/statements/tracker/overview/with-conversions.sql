SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '[\'2026-03-01\',\'2026-03-02\']';
SET param_p2 = '[11,12]';
SET param_p3 = '00000000-0000-4000-8000-000000000001';
SET param_p4 = '[\'00000000-0000-4000-8000-000000000021\',\'00000000-0000-4000-8000-000000000022\']';
SET param_p5 = '[\'2026-03-01\']';
SET param_p6 = '[31]';
SET param_p7 = '[]';
SET param_p8 = '[]';
SET param_p9 = '[[],[0]]';
SET param_p10 = 'Array(Array(UInt16))';
SET param_p11 = '[\'example.com\']';
SET param_p12 = '[\'/pricing\']';
SET param_p13 = '[2]';
SET param_p14 = '[[],[1]]';
SET param_p15 = 'Array(Array(UInt16))';
SET param_p16 = '[\'signup\']';
SET param_p17 = '[2]';
SET param_p18 = '00000000-0000-4000-8000-000000000001';
SET param_p19 = '[\'2026-03-02\']';
SET param_p20 = '[12]';
SET param_p21 = '[[],[0]]';
SET param_p22 = 'Array(Array(UInt16))';
SET param_p23 = '[\'example.com\']';
SET param_p24 = '[\'/pricing\']';
SET param_p25 = '[2]';
SET param_p26 = '[[],[1]]';
SET param_p27 = 'Array(Array(UInt16))';
SET param_p28 = '[\'signup\']';
SET param_p29 = '[2]';
SET param_p30 = '00000000-0000-4000-8000-000000000001';
SET param_p31 = '[\'2026-03-03\']';
SET param_p32 = '2026-03-03 12:00:00.000';
SET param_p33 = '1800000';
SET param_p34 = '1800000';
SET param_p35 = '1772539200000';
SET param_p36 = '2026-03-03 12:00:00.000';
SELECT day, visitors, sessions, sessions AS closed, pageviews, pageviews AS closed_pageviews,
  bounces AS bounces, timed_sessions AS timed_sessions, timed_ms AS timed_ms,
  toUInt64(0) AS converted
FROM spoor.tracker_daily
WHERE ((site_id = {p0:UUID}) AND (((day IN {p1:Array(Date)}) AND (build IN {p2:Array(UInt64)}))))
UNION ALL
SELECT day, 0 AS visitors, 0 AS sessions, 0 AS closed, 0 AS pageviews, 0 AS closed_pageviews, 0 AS bounces,
  0 AS timed_sessions, 0 AS timed_ms, converted
FROM (
  SELECT day, sum(sessions) AS converted
  FROM spoor.definition_daily
  WHERE site_id = {p3:UUID} AND definition_id IN {p4:Array(UUID)} AND (
    ((day IN {p5:Array(Date)}) AND (build IN {p6:Array(UInt64)}))
  )
    AND NOT (definition_id IN {p7:Array(UUID)} AND day IN {p8:Array(Date)}) AND dimension = ''
  GROUP BY day)
UNION ALL
SELECT day, 0 AS visitors, 0 AS sessions, 0 AS closed, 0 AS pageviews, 0 AS closed_pageviews, 0 AS bounces,
  0 AS timed_sessions, 0 AS timed_ms, converted
FROM (
  WITH
    -- For each event of a session its page and the conversions that it met.
    session_hits AS (
      SELECT day, arrayMap(
        (viewed, other) -> viewed + other,
        pages,
        event_pages
      ) AS own_pages, arrayMap((page, name, later) -> arrayConcat(
        CAST({p9:String}, {p10:String})[
          transform(
            page,
            arrayMap((host, path) -> cityHash64(host, path), {p11:Array(String)}, {p12:Array(String)}),
            {p13:Array(UInt64)},
            toUInt64(1)
          )
        ],
        CAST({p14:String}, {p15:String})[
          transform(toString(name), {p16:Array(String)}, {p17:Array(UInt64)}, toUInt64(1))
        ]
      ), pages, names, offsets) AS hits
      FROM spoor.sessions
      WHERE ((site_id = {p18:UUID}) AND (((day IN {p19:Array(Date)}) AND (build IN {p20:Array(UInt64)}))))
    ),
    -- Sessions with a conversion, and the pages on which one happened.
    converted_sessions AS (
      SELECT day, arrayDistinct(arrayFilter((page, met) -> page != 0 AND notEmpty(met), own_pages, hits)) AS on_pages
      FROM session_hits
      WHERE arrayExists(met -> notEmpty(met), hits)
    )
  SELECT day, count() AS converted
  FROM converted_sessions
  GROUP BY day)
UNION ALL
WITH
  -- Events of visitors on the days that are read from facts, each once.
  visitor_events AS (
    SELECT day, visitor, received_at, seq, kind = 'pageview' AS is_pageview, notEmpty(arrayConcat(
      CAST({p21:String}, {p22:String})[
        transform(
          if(kind = 'pageview', page_id, 0),
          arrayMap((host, path) -> cityHash64(host, path), {p23:Array(String)}, {p24:Array(String)}),
          {p25:Array(UInt64)},
          toUInt64(1)
        )
      ],
      CAST({p26:String}, {p27:String})[
        transform(toString(if(kind = 'pageview', '', name)), {p28:Array(String)}, {p29:Array(UInt64)}, toUInt64(1))
      ]
    )) AS is_marked, kind = 'pageview' AS carried
    FROM spoor.events FINAL
    WHERE (
      (site_id = {p30:UUID})
      AND (day IN {p31:Array(Date)})
      AND (stream = 'browser')
      AND (received_at <= {p32:DateTime64(3, 'UTC')})
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
        (event, silence) -> silence >= {p33:UInt64},
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
  -- What counts of each session.
  measured_sessions AS (
    SELECT day, session = 1 AS is_first,
      arrayCount(event -> toUInt64(event) = 1, session_events) AS views,
      length(session_events) AS events,
      toUInt64(bitShiftRight(session_events[-1], 86)) AS ended_ms,
      ended_ms - toUInt64(bitShiftRight(session_events[1], 86)) AS lasted_ms,
      ((ended_ms + {p34:UInt64} <= {p35:UInt64}) OR (day < toDate({p36:DateTime64(3, 'UTC')}))) AS is_closed,
      arrayExists(event -> toUInt8(bitShiftRight(event, 64)) % 2 = 1, session_events) AS is_converted
    FROM sessions
  )
SELECT day, countIf(is_first) AS visitors, count() AS sessions, countIf(is_closed) AS closed,
  sum(views) AS pageviews, sumIf(views, is_closed) AS closed_pageviews,
  countIf(is_closed AND views = 1 AND events = 1) AS bounces,
  countIf(is_closed AND events > 1) AS timed_sessions, sumIf(toUInt64(lasted_ms), is_closed AND events > 1) AS timed_ms,
  countIf(is_converted) AS converted
FROM measured_sessions
GROUP BY day;
