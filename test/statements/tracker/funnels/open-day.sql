SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '[\'00000000-0000-4000-8000-000000000021\',\'00000000-0000-4000-8000-000000000022\']';
SET param_p2 = '[\'2026-03-01\']';
SET param_p3 = '[31]';
SET param_p4 = '[\'00000000-0000-4000-8000-000000000022\']';
SET param_p5 = '[\'2026-03-02\']';
SET param_p6 = '[0,1]';
SET param_p7 = 'Array(UInt256)';
SET param_p8 = '[\'example.com\']';
SET param_p9 = '[\'/pricing\']';
SET param_p10 = '[2]';
SET param_p11 = '[0,2]';
SET param_p12 = 'Array(UInt256)';
SET param_p13 = '[\'signup\']';
SET param_p14 = '[2]';
SET param_p15 = '00000000-0000-4000-8000-000000000001';
SET param_p16 = '[\'2026-03-03\']';
SET param_p17 = '2026-03-03 12:00:00.000';
SET param_p18 = '00000000-0000-4000-8000-000000000001';
SET param_p19 = '[\'2026-03-03\']';
SET param_p20 = '2026-03-03 12:00:00.000';
SET param_p21 = '[0,1]';
SET param_p22 = 'Array(UInt256)';
SET param_p23 = '[\'example.com\']';
SET param_p24 = '[\'/pricing\']';
SET param_p25 = '[2]';
SET param_p26 = '[0,2]';
SET param_p27 = 'Array(UInt256)';
SET param_p28 = '[\'signup\']';
SET param_p29 = '[2]';
SET param_p30 = '1';
SET param_p31 = 'UInt256';
SET param_p32 = '1800000';
SET param_p33 = '1';
SET param_p34 = 'UInt256';
SET param_p35 = '0';
SET param_p36 = 'UInt256';
SET param_p37 = '0';
SET param_p38 = 'UInt256';
SET param_p39 = '1001';
SET param_p40 = '1001';
SET param_p41 = '1001';
SET param_p42 = '0';
SET param_p43 = '0';
SET param_p44 = '1';
SET param_p45 = '64';
SET param_p46 = '9';
SET param_p47 = '128';
SET param_p48 = '17';
SET param_p49 = '192';
SET param_p50 = '25';
SET param_p51 = '5003';
SELECT 'stored' AS kind, toString(definition_id) AS definition, toUInt16(0) AS batch, toUInt16(step) AS bit,
  sum(sessions) AS sessions, sum(ambiguous) AS ambiguous,
  CAST([], 'Array(String)') AS masks, CAST([], 'Array(UInt32)') AS offsets, CAST([], 'Array(String)') AS requests
FROM spoor.definition_daily
WHERE site_id = {p0:UUID} AND definition_id IN {p1:Array(UUID)} AND (
  ((day IN {p2:Array(Date)}) AND (build IN {p3:Array(UInt64)}))
)
  AND NOT (definition_id IN {p4:Array(UUID)} AND day IN {p5:Array(Date)})
GROUP BY definition_id, step
UNION ALL
SELECT * FROM (
  WITH
    -- Events of visitors on the days that are read from facts, each once.
    visitor_events AS (
      SELECT day, visitor, received_at, seq, bitOr(
        CAST({p6:String}, {p7:String})[
          transform(
            if(kind = 'pageview', page_id, 0),
            arrayMap((host, path) -> cityHash64(host, path), {p8:Array(String)}, {p9:Array(String)}),
            {p10:Array(UInt64)},
            toUInt64(1)
          )
        ],
        CAST({p11:String}, {p12:String})[
          transform(toString(if(kind = 'pageview', '', name)), {p13:Array(String)}, {p14:Array(UInt64)}, toUInt64(1))
        ]
      ) AS mask, request
      FROM spoor.events FINAL
      WHERE (
        (site_id = {p15:UUID})
        AND (day IN {p16:Array(Date)})
        AND (stream = 'browser')
        AND (received_at <= {p17:DateTime64(3, 'UTC')})
      )
        AND visitor IN (
          SELECT visitor
          FROM spoor.events
          WHERE (
            (site_id = {p18:UUID})
            AND (day IN {p19:Array(Date)})
            AND (stream = 'browser')
            AND (received_at <= {p20:DateTime64(3, 'UTC')})
          ) AND bitAnd(bitOr(
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
          ), CAST({p30:String}, {p31:String})) != 0
        )
    ),
    -- One row for each visitor and UTC day, with the visitor's events in order of receipt.
    visits AS (
      SELECT day, visitor, arraySort(
        groupArray(
          (received_at, seq, mask, request)::Tuple(received_at DateTime64(3, 'UTC'), seq UInt64, mask UInt256, request UInt64)
        )
      ) AS visit_events
      FROM visitor_events
      GROUP BY day, visitor
    ),
    -- The same, cut into sessions where no event came for 30 minutes.
    split_visits AS (
      SELECT day, visitor,
        arraySplit(
          (event, silence) -> silence >= {p32:UInt64},
          visit_events,
          arrayDifference(arrayMap(event -> toUnixTimestamp64Milli(event.received_at), visit_events))
        ) AS parts
      FROM visits
    ),
    -- One row for each session, numbered from 1 within visitor and day.
    sessions AS (
      SELECT day, visitor, session, session_events
      FROM split_visits
      ARRAY JOIN parts AS session_events, arrayEnumerate(parts) AS session
    ),
    -- The events of each session that meet a step, in order.
    marked_sessions AS (
      SELECT
        arrayFilter(event -> event.mask != 0, session_events) AS hits
      FROM sessions
    ),
    -- The same as arrays side by side.
    session_hits AS (
      SELECT
        arrayMap(hit -> hit.mask, hits) AS masks,
        arrayExists(
          (hit, before) -> hit.received_at = before.received_at AND hit.request != before.request,
          arrayPopFront(hits), arrayPopBack(hits)
        ) AS is_tied,
        if(is_tied, arrayMap(hit -> toUInt32(toUnixTimestamp64Milli(hit.received_at) % 86400000), hits), []) AS offsets,
        if(is_tied, arrayMap(hit -> hit.request, hits), []) AS requests
      FROM marked_sessions
    ),
    -- The steps that each session passed, as bits; of a session whose events tie (tie is not 0) its hits instead.
    walks AS (
      SELECT
        if(empty(requests), 0, bitOr(cityHash64(masks, offsets, requests), 1)) AS tie,
        if(
          tie = 0,
          arrayFold(
            (passed, mask) -> bitOr(passed, bitAnd(mask, bitOr(bitShiftLeft(passed, 1), CAST({p33:String}, {p34:String})))),
            masks,
            CAST({p35:String}, {p36:String})
          ),
          CAST({p37:String}, {p38:String})
        ) AS passed,
        if(tie = 0, [], arraySlice(masks, 1, {p39:UInt64})) AS tied_masks,
        if(tie = 0, [], arraySlice(offsets, 1, {p40:UInt64})) AS tied_offsets,
        if(tie = 0, [], arraySlice(requests, 1, {p41:UInt64})) AS tied_requests
      FROM session_hits
      WHERE notEmpty(masks)
    ),
    -- Sessions that passed the same steps, or whose hits are the same.
    alike AS (
      SELECT passed, tie, count() AS sessions,
        any(tied_masks) AS tied_masks, any(tied_offsets) AS tied_offsets, any(tied_requests) AS tied_requests
      FROM walks
      GROUP BY passed, tie
    )
  SELECT if(tie = 0, 'counted', 'tied') AS kind, '' AS definition, toUInt16({p42:UInt64}) AS batch, toUInt16(bit) AS bit,
    sum(alike.sessions) AS sessions, toUInt64(0) AS ambiguous,
    arrayMap(mask -> toString(mask), any(tied_masks)) AS masks, any(tied_offsets) AS offsets,
    arrayMap(request -> toString(request), any(tied_requests)) AS requests
  FROM alike
  ARRAY JOIN if(tie = 0, arrayConcat(
    arrayMap(
      bit -> toUInt16(bit + {p43:UInt64}),
      bitPositionsToArray(reinterpretAsUInt64(substring(reinterpretAsFixedString(passed), {p44:UInt64}, 8)))
    ),
    arrayMap(
      bit -> toUInt16(bit + {p45:UInt64}),
      bitPositionsToArray(reinterpretAsUInt64(substring(reinterpretAsFixedString(passed), {p46:UInt64}, 8)))
    ),
    arrayMap(
      bit -> toUInt16(bit + {p47:UInt64}),
      bitPositionsToArray(reinterpretAsUInt64(substring(reinterpretAsFixedString(passed), {p48:UInt64}, 8)))
    ),
    arrayMap(
      bit -> toUInt16(bit + {p49:UInt64}),
      bitPositionsToArray(reinterpretAsUInt64(substring(reinterpretAsFixedString(passed), {p50:UInt64}, 8)))
    )), [toUInt16(0)]) AS bit
  GROUP BY bit, tie
  ORDER BY tie
  LIMIT {p51:UInt64});
