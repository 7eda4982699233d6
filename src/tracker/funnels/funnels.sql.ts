/** How many sessions passed the steps of many funnels, all at once. */
import Type from 'typebox'
import { count, type Fragment, list, rows, sql, uint } from '#evidence/sql.ts'
import type { Matcher } from '../definitions/definitions.ts'
import { type Evaluation, inDefinitionBuilds } from '../definitions/evaluated-days.ts'
import { bitMarks, constant, looksAtProperties, matched } from '../definitions/matching.sql.ts'
import type { ClosedDays, TrackerScope } from '../scope.ts'
import { gatheredSessions, inTrackerBuilds } from '../sessions/sessions.sql.ts'

/** Some funnels whose steps are the bits of one number, in the order of the steps. */
export interface FunnelBatch {
  /** Matcher of each bit. */
  matchers: Matcher[]
  /** Bits that are first steps. */
  firsts: number[]
  /** From which instants on (epoch milliseconds, ascending) which bits count; the first entry holds from ever. */
  eras: { from: number; bits: number[] }[]
}

/**
 * What one row says: `stored`: a definition's step and its sessions, out of day sums; `counted`: sessions that passed the bit of a batch;
 * `tied`: sessions whose hits are these, in their order, the order of some of them unknown; `more`: ties beyond what is resolved.
 */
const FunnelRow = Type.Object({
  kind: Type.Union([Type.Literal('stored'), Type.Literal('counted'), Type.Literal('tied')]),
  definition: Type.String(),
  batch: Type.Integer(),
  /** A bit of the batch, or a step of the definition from 1. */
  bit: Type.Integer(),
  sessions: count(),
  ambiguous: count(),
  masks: Type.Array(Type.String()),
  offsets: Type.Array(Type.Integer()),
  requests: Type.Array(Type.String()),
})

/** Different tied sessions that one batch resolves; a stranger may send any number of them. */
export const MOST_TIED = 5_000
/** Hits of a tied session that are looked at. */
export const MOST_TIED_HITS = 1_000

export interface FunnelBranch {
  batch: number
  funnels: FunnelBatch
  /** Facts of the scope's open and dirty days, or sessions of closed ones. */
  of: TrackerScope | ClosedDays
}

/** Stored sums and every branch in ONE statement (rules 3). */
export const funnelCounts = (evaluation: Evaluation, branches: readonly FunnelBranch[]) =>
  rows(FunnelRow)`${branches
    .map(passedSteps)
    .reduce((all, branch) => sql`${all} UNION ALL SELECT * FROM (${branch})`, storedSteps(evaluation))}`

const storedSteps = (evaluation: Evaluation): Fragment => sql`
  SELECT 'stored' AS kind, toString(definition_id) AS definition, toUInt16(0) AS batch, toUInt16(step) AS bit,
    sum(sessions) AS sessions, sum(ambiguous) AS ambiguous,
    CAST([], 'Array(String)') AS masks, CAST([], 'Array(UInt32)') AS offsets, CAST([], 'Array(String)') AS requests
  FROM spoor.definition_daily
  WHERE ${inDefinitionBuilds(evaluation)}
  GROUP BY definition_id, step`

const isOfFacts = (of: FunnelBranch['of']): of is TrackerScope => 'fact_days' in of

/**
 * Each step is a bit. Going through a session's events in order, a bit is set when the event meets its step and the bit before it
 * was set already: so a step is reached strictly after the one before, and one event passes one step of a funnel only. All
 * funnels move at once. What cannot be decided in order, because events tie, is handed out as it is.
 */
function passedSteps({ batch, funnels, of }: FunnelBranch): Fragment {
  const firsts = constant(bitMarks, bitMarks.write(funnels.firsts))
  const nothing = constant(bitMarks, '0')
  const from = isOfFacts(of) ? factHits(of, funnels) : closedHits(of, funnels)
  return sql`
  SELECT if(tie = 0, 'counted', 'tied') AS kind, '' AS definition, toUInt16(${uint(batch)}) AS batch, toUInt16(bit) AS bit,
    sum(alike) AS sessions, toUInt64(0) AS ambiguous,
    arrayMap(mask -> toString(mask), any(tied_masks)) AS masks, any(tied_offsets) AS offsets,
    arrayMap(request -> toString(request), any(tied_requests)) AS requests
  FROM (
    SELECT passed, tie, count() AS alike, any(tied_masks) AS tied_masks, any(tied_offsets) AS tied_offsets, any(tied_requests) AS tied_requests
    FROM (
      SELECT
        if(empty(requests), 0, bitOr(cityHash64(masks, offsets, requests), 1)) AS tie,
        if(tie = 0, arrayFold((done, mask) -> bitOr(done, bitAnd(mask, bitOr(bitShiftLeft(done, 1), ${firsts}))), masks, ${nothing}), ${nothing}) AS passed,
        if(tie = 0, [], arraySlice(masks, 1, ${uint(MOST_TIED_HITS + 1)})) AS tied_masks,
        if(tie = 0, [], arraySlice(offsets, 1, ${uint(MOST_TIED_HITS + 1)})) AS tied_offsets,
        if(tie = 0, [], arraySlice(requests, 1, ${uint(MOST_TIED_HITS + 1)})) AS tied_requests
      FROM (${from})
      WHERE notEmpty(masks)
    )
    GROUP BY passed, tie
  )
  ARRAY JOIN if(tie = 0, ${bitsOf(sql`passed`)}, [toUInt16(0)]) AS bit
  GROUP BY bit, tie
  ORDER BY tie
  LIMIT ${uint(funnels.matchers.length + MOST_TIED + 1)}`
}

/** The positions of a number's bits; the engine finds them in 64 bits at a time. */
const bitsOf = (mask: Fragment): Fragment => {
  const word = (at: number) =>
    sql`arrayMap(bit -> toUInt16(bit + ${uint(at * 64)}), bitPositionsToArray(reinterpretAsUInt64(substring(reinterpretAsFixedString(${mask}), ${uint(at * 8 + 1)}, 8))))`
  return sql`arrayConcat(${word(0)}, ${word(1)}, ${word(2)}, ${word(3)})`
}

/** Bits that count for a session begun at this instant; null when that is all of them. */
function inForce({ eras }: FunnelBatch, startedAt: Fragment): Fragment | null {
  const [first, ...later] = eras
  if (first === undefined) return null
  const masks = [first, ...later].map(({ bits }) => bitMarks.write(bits)).join(',')
  const table = constant({ ...bitMarks, type: 'Array(UInt256)' }, `[${masks}]`)
  const begins = list(
    'UInt64',
    later.map(({ from }) => from),
  )
  return sql`${table}[1 + arrayCount(begin -> begin <= toUnixTimestamp64Milli(${startedAt}), ${begins})]`
}

/** Sessions of closed days: masks that meet a step, in order; offsets and requests stay empty unless events tie. */
function closedHits(days: ClosedDays, funnels: FunnelBatch): Fragment {
  const event = { page: sql`page`, name: sql`name`, props: sql`prop` }
  const mark = matched(funnels.matchers, bitMarks, event)
  const marks = looksAtProperties(funnels.matchers)
    ? sql`arrayMap((page, name, prop) -> ${mark}, pages, names, props)`
    : sql`arrayMap((page, name) -> ${mark}, pages, names)`
  const bits = inForce(funnels, sql`started_at`)
  const counting = bits === null ? marks : sql`arrayMap(mask -> bitAnd(mask, ${bits}), ${marks})`
  const kept = (column: Fragment) =>
    sql`if(empty(tie_requests), [], arrayFilter((value, mask) -> mask != 0, ${column}, every))`
  return sql`
    SELECT arrayFilter(mask -> mask != 0, every) AS masks, ${kept(sql`offsets`)} AS offsets, ${kept(sql`tie_requests`)} AS requests
    FROM (
      SELECT ${counting} AS every, offsets, tie_requests
      FROM spoor.sessions
      WHERE ${inTrackerBuilds(days)}
    )`
}

/** The same straight from facts; the first event dates the session. */
function factHits(scope: TrackerScope, funnels: FunnelBatch): Fragment {
  const event = {
    page: sql`if(kind = 'pageview', page_id, 0)`,
    name: sql`if(kind = 'pageview', '', name)`,
    props: sql`props`,
  }
  const mark = matched(funnels.matchers, bitMarks, event)
  // Whoever never met a first step passed none.
  const firsts = constant(bitMarks, bitMarks.write(funnels.firsts))
  const enters = sql`bitAnd(${mark}, ${firsts}) != 0`
  const bits = inForce(funnels, sql`ordered[1].1`)
  const counting =
    bits === null ? sql`ordered` : sql`arrayMap(hit -> (hit.1, hit.2, bitAnd(hit.3, ${bits}), hit.4), ordered)`
  return sql`
    SELECT
      arrayMap(hit -> hit.3, hits) AS masks,
      arrayExists((hit, before) -> hit.1 = before.1 AND hit.4 != before.4, arrayPopFront(hits), arrayPopBack(hits)) AS is_tied,
      if(is_tied, arrayMap(hit -> toUInt32(toUnixTimestamp64Milli(hit.1) % 86400000), hits), []) AS offsets,
      if(is_tied, arrayMap(hit -> hit.4, hits), []) AS requests
    FROM (
      SELECT arrayFilter(hit -> hit.3 != 0, ${counting}) AS hits
      FROM (${gatheredSessions(scope, sql`${mark}, request`, enters)})
    )`
}
