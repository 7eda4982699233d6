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
SET param_p11 = 'signup';
SET param_p12 = 'plan';
SET param_p13 = '[\'pro\',\'team\']';
SET param_p14 = 'plan';
SET param_p15 = 'seats';
SET param_p16 = '2';
SET param_p17 = '50';
SET param_p18 = 'trial';
SET param_p19 = 'trial';
SET param_p20 = 'false';
SET param_p21 = '2';
SET param_p22 = 'UInt256';
SET param_p23 = '0';
SET param_p24 = 'UInt256';
SET param_p25 = '00000000-0000-4000-8000-000000000001';
SET param_p26 = '[\'2026-03-01\',\'2026-03-02\']';
SET param_p27 = '[11,12]';
SET param_p28 = '1';
SET param_p29 = 'UInt256';
SET param_p30 = '0';
SET param_p31 = 'UInt256';
SET param_p32 = '0';
SET param_p33 = 'UInt256';
SET param_p34 = '1001';
SET param_p35 = '1001';
SET param_p36 = '1001';
SET param_p37 = '0';
SET param_p38 = '0';
SET param_p39 = '1';
SET param_p40 = '64';
SET param_p41 = '9';
SET param_p42 = '128';
SET param_p43 = '17';
SET param_p44 = '192';
SET param_p45 = '25';
SET param_p46 = '5003';
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
      SELECT arrayMap((page, name, prop) -> bitOr(
        CAST({p6:String}, {p7:String})[
          transform(
            page,
            arrayMap((host, path) -> cityHash64(host, path), {p8:Array(String)}, {p9:Array(String)}),
            {p10:Array(UInt64)},
            toUInt64(1)
          )
        ],
        if(
          (
            (name = {p11:String})
            AND (((mapContains(prop, {p12:String})) AND (has({p13:Array(String)}, prop[{p14:String}]))))
            AND (ifNull(toInt64OrNull(prop[{p15:String}]) BETWEEN toInt64({p16:String}) AND toInt64({p17:String}), 0))
            AND (((mapContains(prop, {p18:String})) AND (prop[{p19:String}] = {p20:String})))
          ),
          CAST({p21:String}, {p22:String}),
          CAST({p23:String}, {p24:String})
        )
      ), pages, names, props) AS every_mask, offsets, tie_requests
      FROM spoor.sessions
      WHERE ((site_id = {p25:UUID}) AND (((day IN {p26:Array(Date)}) AND (build IN {p27:Array(UInt64)}))))
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
            (passed, mask) -> bitOr(passed, bitAnd(mask, bitOr(bitShiftLeft(passed, 1), CAST({p28:String}, {p29:String})))),
            masks,
            CAST({p30:String}, {p31:String})
          ),
          CAST({p32:String}, {p33:String})
        ) AS passed,
        if(tie = 0, [], arraySlice(masks, 1, {p34:UInt64})) AS tied_masks,
        if(tie = 0, [], arraySlice(offsets, 1, {p35:UInt64})) AS tied_offsets,
        if(tie = 0, [], arraySlice(requests, 1, {p36:UInt64})) AS tied_requests
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
  SELECT if(tie = 0, 'counted', 'tied') AS kind, '' AS definition, toUInt16({p37:UInt64}) AS batch, toUInt16(bit) AS bit,
    sum(alike.sessions) AS sessions, toUInt64(0) AS ambiguous,
    arrayMap(mask -> toString(mask), any(tied_masks)) AS masks, any(tied_offsets) AS offsets,
    arrayMap(request -> toString(request), any(tied_requests)) AS requests
  FROM alike
  ARRAY JOIN if(tie = 0, arrayConcat(
    arrayMap(
      bit -> toUInt16(bit + {p38:UInt64}),
      bitPositionsToArray(reinterpretAsUInt64(substring(reinterpretAsFixedString(passed), {p39:UInt64}, 8)))
    ),
    arrayMap(
      bit -> toUInt16(bit + {p40:UInt64}),
      bitPositionsToArray(reinterpretAsUInt64(substring(reinterpretAsFixedString(passed), {p41:UInt64}, 8)))
    ),
    arrayMap(
      bit -> toUInt16(bit + {p42:UInt64}),
      bitPositionsToArray(reinterpretAsUInt64(substring(reinterpretAsFixedString(passed), {p43:UInt64}, 8)))
    ),
    arrayMap(
      bit -> toUInt16(bit + {p44:UInt64}),
      bitPositionsToArray(reinterpretAsUInt64(substring(reinterpretAsFixedString(passed), {p45:UInt64}, 8)))
    )), [toUInt16(0)]) AS bit
  GROUP BY bit, tie
  ORDER BY tie
  LIMIT {p46:UInt64});
