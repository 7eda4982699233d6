SET param_p0 = '00000000-0000-4000-8000-000000000001';
SET param_p1 = '[\'00000000-0000-4000-8000-000000000021\',\'00000000-0000-4000-8000-000000000022\']';
SET param_p2 = '[\'2026-03-01\']';
SET param_p3 = '[31]';
SET param_p4 = '[\'00000000-0000-4000-8000-000000000022\']';
SET param_p5 = '[\'2026-03-02\']';
SET param_p6 = '[3,0]';
SET param_p7 = 'Array(UInt256)';
SET param_p8 = '[1772539140000]';
SET param_p9 = '[0,1]';
SET param_p10 = 'Array(UInt256)';
SET param_p11 = '[\'example.com\']';
SET param_p12 = '[\'/pricing\']';
SET param_p13 = '[2]';
SET param_p14 = '[0,2]';
SET param_p15 = 'Array(UInt256)';
SET param_p16 = '[\'signup\']';
SET param_p17 = '[2]';
SET param_p18 = '00000000-0000-4000-8000-000000000001';
SET param_p19 = '[\'2026-03-01\',\'2026-03-02\']';
SET param_p20 = '[11,12]';
SET param_p21 = '1';
SET param_p22 = 'UInt256';
SET param_p23 = '0';
SET param_p24 = 'UInt256';
SET param_p25 = '0';
SET param_p26 = 'UInt256';
SET param_p27 = '1001';
SET param_p28 = '1001';
SET param_p29 = '1001';
SET param_p30 = '0';
SET param_p31 = '0';
SET param_p32 = '1';
SET param_p33 = '64';
SET param_p34 = '9';
SET param_p35 = '128';
SET param_p36 = '17';
SET param_p37 = '192';
SET param_p38 = '25';
SET param_p39 = '5003';
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
    -- The steps that each event of a session of closed days meets, as bits.
    marked_sessions AS (
      SELECT arrayMap(mask -> bitAnd(mask, CAST({p6:String}, {p7:String})[1 + arrayCount(begin -> begin <= toUnixTimestamp64Milli(started_at), {p8:Array(UInt64)})]), arrayMap((page, name) -> bitOr(
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
      ), pages, names)) AS every_mask, offsets, tie_requests
      FROM spoor.sessions
      WHERE ((site_id = {p18:UUID}) AND (((day IN {p19:Array(Date)}) AND (build IN {p20:Array(UInt64)}))))
    ),
    -- The events of each session that meet a step: in order, and where events tie with what decides about ties.
    session_hits AS (
      SELECT arrayFilter(mask -> mask != 0, every_mask) AS masks,
        if(empty(tie_requests), [], arrayFilter((value, mask) -> mask != 0, offsets, every_mask)) AS offsets,
        if(empty(tie_requests), [], arrayFilter((value, mask) -> mask != 0, tie_requests, every_mask)) AS requests
      FROM marked_sessions
    ),
    -- The steps that each session passed, as bits; of a session whose events tie (tie is not 0) its hits instead.
    walks AS (
      SELECT
        if(empty(requests), 0, bitOr(cityHash64(masks, offsets, requests), 1)) AS tie,
        if(
          tie = 0,
          arrayFold(
            (passed, mask) -> bitOr(passed, bitAnd(mask, bitOr(bitShiftLeft(passed, 1), CAST({p21:String}, {p22:String})))),
            masks,
            CAST({p23:String}, {p24:String})
          ),
          CAST({p25:String}, {p26:String})
        ) AS passed,
        if(tie = 0, [], arraySlice(masks, 1, {p27:UInt64})) AS tied_masks,
        if(tie = 0, [], arraySlice(offsets, 1, {p28:UInt64})) AS tied_offsets,
        if(tie = 0, [], arraySlice(requests, 1, {p29:UInt64})) AS tied_requests
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
  SELECT if(tie = 0, 'counted', 'tied') AS kind, '' AS definition, toUInt16({p30:UInt64}) AS batch, toUInt16(bit) AS bit,
    sum(alike.sessions) AS sessions, toUInt64(0) AS ambiguous,
    arrayMap(mask -> toString(mask), any(tied_masks)) AS masks, any(tied_offsets) AS offsets,
    arrayMap(request -> toString(request), any(tied_requests)) AS requests
  FROM alike
  ARRAY JOIN if(tie = 0, arrayConcat(
    arrayMap(
      bit -> toUInt16(bit + {p31:UInt64}),
      bitPositionsToArray(reinterpretAsUInt64(substring(reinterpretAsFixedString(passed), {p32:UInt64}, 8)))
    ),
    arrayMap(
      bit -> toUInt16(bit + {p33:UInt64}),
      bitPositionsToArray(reinterpretAsUInt64(substring(reinterpretAsFixedString(passed), {p34:UInt64}, 8)))
    ),
    arrayMap(
      bit -> toUInt16(bit + {p35:UInt64}),
      bitPositionsToArray(reinterpretAsUInt64(substring(reinterpretAsFixedString(passed), {p36:UInt64}, 8)))
    ),
    arrayMap(
      bit -> toUInt16(bit + {p37:UInt64}),
      bitPositionsToArray(reinterpretAsUInt64(substring(reinterpretAsFixedString(passed), {p38:UInt64}, 8)))
    )), [toUInt16(0)]) AS bit
  GROUP BY bit, tie
  ORDER BY tie
  LIMIT {p39:UInt64});
