/** Counts the sessions that passed the steps of many funnels in one statement. */
import Type from 'typebox'
import { count, type Fragment, list, rows, sql, uint } from '#evidence/sql.ts'
import type { Matcher } from '../definitions/definitions.ts'
import { type Evaluation, inDefinitionBuilds } from '../definitions/evaluated-days.ts'
import { bitMarks, constant, FACT_EVENT, matched, usesProperties } from '../definitions/matching.sql.ts'
import { type ClosedDays, isReadFromFacts, type TrackerScope } from '../scope.ts'
import { eventTuples } from '../sessions/event-layouts.sql.ts'
import { gatheredSessions, inTrackerBuilds } from '../sessions/sessions.sql.ts'

/** Funnels whose steps are the bits of one number, in the order of the steps. */
export interface FunnelBatch {
  /** The matcher of each bit. */
  matchers: Matcher[]
  /** Bits that are first steps. */
  firsts: number[]
  /** The bits that count from an instant on (epoch milliseconds, ascending). The first entry has no beginning. */
  effective_periods: { from: number; bits: number[] }[]
}

/**
 * The kinds of rows: `stored`: the sessions of a definition's step, from stored sums; `counted`: the sessions that
 * passed the step of a bit; `tied`: the sessions with exactly these hits, some of which tie, so that their order is
 * unknown.
 */
const FunnelRow = Type.Object({
  kind: Type.Union([Type.Literal('stored'), Type.Literal('counted'), Type.Literal('tied')]),
  definition: Type.String(),
  batch: Type.Integer(),
  /** A bit of the batch, or a step of the definition, counted from 1. */
  bit: Type.Integer(),
  sessions: count(),
  ambiguous: count(),
  masks: Type.Array(Type.String()),
  offsets: Type.Array(Type.Integer()),
  requests: Type.Array(Type.String()),
})

/** The most distinct tied sessions that one batch resolves; strangers can send any number. */
export const MAX_TIED_SESSIONS = 5_000
/** The most hits of a tied session that are resolved. */
export const MAX_TIED_HITS = 1_000

export interface FunnelBranch {
  batch: number
  funnels: FunnelBatch
  /** A scope, whose open and dirty days are read from facts, or builds. */
  of: TrackerScope | ClosedDays
}

/** Stored sums and every branch in ONE statement (rules 3). */
export const funnelCounts = (evaluation: Evaluation, branches: readonly FunnelBranch[]) =>
  rows(FunnelRow)`${branches.map(passedSteps).reduce(
    (all, branch) => sql`${all}
  UNION ALL
  SELECT * FROM (${branch})`,
    storedSteps(evaluation),
  )}`

const storedSteps = (evaluation: Evaluation): Fragment => sql`
  SELECT 'stored' AS kind, toString(definition_id) AS definition, toUInt16(0) AS batch, toUInt16(step) AS bit,
    sum(sessions) AS sessions, sum(ambiguous) AS ambiguous,
    CAST([], 'Array(String)') AS masks, CAST([], 'Array(UInt32)') AS offsets, CAST([], 'Array(String)') AS requests
  FROM spoor.definition_daily
  WHERE ${inDefinitionBuilds(evaluation)}
  GROUP BY definition_id, step`

/**
 * Each step is a bit. The events of a session are read in order. An event sets a bit if it meets the step and the bit
 * before it is set already. So a step is reached strictly after the step before, and one event passes only one step of
 * a funnel. All funnels are evaluated at once. Sessions with ties are returned with their hits.
 */
function passedSteps({ batch, funnels, of }: FunnelBranch): Fragment {
  const firsts = constant(bitMarks, bitMarks.write(funnels.firsts))
  const nothing = constant(bitMarks, '0')
  const most = uint(MAX_TIED_HITS + 1)
  return sql`
  WITH ${isReadFromFacts(of) ? openHits(of, funnels) : closedHits(of, funnels)},
  -- The steps that each session passed, as bits; of a session whose events tie (tie is not 0) its hits instead.
  walks AS (
    SELECT
      if(empty(requests), 0, bitOr(cityHash64(masks, offsets, requests), 1)) AS tie,
      if(
        tie = 0,
        arrayFold((passed, mask) -> bitOr(passed, bitAnd(mask, bitOr(bitShiftLeft(passed, 1), ${firsts}))), masks, ${nothing}),
        ${nothing}
      ) AS passed,
      if(tie = 0, [], arraySlice(masks, 1, ${most})) AS tied_masks,
      if(tie = 0, [], arraySlice(offsets, 1, ${most})) AS tied_offsets,
      if(tie = 0, [], arraySlice(requests, 1, ${most})) AS tied_requests
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
  SELECT if(tie = 0, 'counted', 'tied') AS kind, '' AS definition, toUInt16(${uint(batch)}) AS batch, toUInt16(bit) AS bit,
    sum(alike.sessions) AS sessions, toUInt64(0) AS ambiguous,
    arrayMap(mask -> toString(mask), any(tied_masks)) AS masks, any(tied_offsets) AS offsets,
    arrayMap(request -> toString(request), any(tied_requests)) AS requests
  FROM alike
  ARRAY JOIN if(tie = 0, ${bitsOf(sql`passed`)}, [toUInt16(0)]) AS bit
  GROUP BY bit, tie
  ORDER BY tie
  LIMIT ${uint(funnels.matchers.length + MAX_TIED_SESSIONS + 1)}`
}

/** The positions of a number's bits; the engine finds them in 64 bits at a time. */
const bitsOf = (mask: Fragment): Fragment => {
  const word = (at: number) => sql`
    arrayMap(
      bit -> toUInt16(bit + ${uint(at * 64)}),
      bitPositionsToArray(reinterpretAsUInt64(substring(reinterpretAsFixedString(${mask}), ${uint(at * 8 + 1)}, 8)))
    )`
  return sql`arrayConcat(${word(0)},${word(1)},${word(2)},${word(3)})`
}

/** The bits that count for a session that began at this instant; null if all bits count. */
function inForce({ effective_periods }: FunnelBatch, startedAt: Fragment): Fragment | null {
  const [first, ...later] = effective_periods
  if (first === undefined) return null
  const masks = [first, ...later].map(({ bits }) => bitMarks.write(bits)).join(',')
  const table = constant({ ...bitMarks, type: 'Array(UInt256)' }, `[${masks}]`)
  const begins = list(
    'UInt64',
    later.map(({ from }) => from),
  )
  return sql`${table}[1 + arrayCount(begin -> begin <= toUnixTimestamp64Milli(${startedAt}), ${begins})]`
}

/** The parts up to `session_hits`: masks of met steps, in order, and offsets and requests if events tie. */
function closedHits(days: ClosedDays, funnels: FunnelBatch): Fragment {
  const event = { page: sql`page`, name: sql`name`, props: sql`prop` }
  const mark = matched(funnels.matchers, bitMarks, event)
  const marks = usesProperties(funnels.matchers)
    ? sql`arrayMap((page, name, prop) -> ${mark}, pages, names, props)`
    : sql`arrayMap((page, name) -> ${mark}, pages, names)`
  const bits = inForce(funnels, sql`started_at`)
  const counting = bits === null ? marks : sql`arrayMap(mask -> bitAnd(mask, ${bits}), ${marks})`
  const kept = (column: Fragment) =>
    sql`if(empty(tie_requests), [], arrayFilter((value, mask) -> mask != 0, ${column}, every_mask))`
  return sql`
  -- The steps that each event of a session of closed days meets, as bits.
  marked_sessions AS (
    SELECT ${counting} AS every_mask, offsets, tie_requests
    FROM spoor.sessions
    WHERE ${inTrackerBuilds(days)}
  ),
  -- The events of each session that meet a step: in order, and where events tie with what decides about ties.
  session_hits AS (
    SELECT arrayFilter(mask -> mask != 0, every_mask) AS masks,
      ${kept(sql`offsets`)} AS offsets,
      ${kept(sql`tie_requests`)} AS requests
    FROM marked_sessions
  )`
}

/** `session_hits` from facts. The instant of a session is that of its first event. */
function openHits(scope: TrackerScope, funnels: FunnelBatch): Fragment {
  const mark = matched(funnels.matchers, bitMarks, FACT_EVENT)
  // Visitors who met no first step passed no step.
  const enters = sql`bitAnd(${mark}, ${constant(bitMarks, bitMarks.write(funnels.firsts))}) != 0`
  const layout = eventTuples(sql`${mark} AS mask, request`, sql`mask, request`, sql`mask UInt256, request UInt64`)
  const bits = inForce(funnels, sql`session_events[1].received_at`)
  const maskOf = (event: Fragment) => (bits === null ? sql`${event}.mask` : sql`bitAnd(${event}.mask, bits_in_force)`)
  return sql`${gatheredSessions(scope, layout, enters)},
  -- The events of each session that meet a step, in order.
  marked_sessions AS (
    SELECT ${bits === null ? sql`` : sql`${bits} AS bits_in_force,`}
      arrayFilter(event -> ${maskOf(sql`event`)} != 0, session_events) AS hits
    FROM sessions
  ),
  -- The same as arrays side by side.
  session_hits AS (
    SELECT
      arrayMap(hit -> ${maskOf(sql`hit`)}, hits) AS masks,
      arrayExists(
        (hit, before) -> hit.received_at = before.received_at AND hit.request != before.request,
        arrayPopFront(hits), arrayPopBack(hits)
      ) AS is_tied,
      if(is_tied, arrayMap(hit -> toUInt32(toUnixTimestamp64Milli(hit.received_at) % 86400000), hits), []) AS offsets,
      if(is_tied, arrayMap(hit -> hit.request, hits), []) AS requests
    FROM marked_sessions
  )`
}
