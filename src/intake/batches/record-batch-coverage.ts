/** Records coverage and the source's state after a batch's facts are stored (rules 3, Intake). */
import { sql } from 'kysely'
import { HOUR_MS, MINUTE_MS } from '#clock.ts'
import type { ControlTransaction } from '#control/store.ts'
import type { SourceRow } from '#control/tables.ts'
import { mergeRanges } from '#crawlers/coverage/join-covered-time.ts'
import { recordCoverage } from '#crawlers/coverage/record-coverage.ts'
import { complement, intersection, type TimeRange, union } from '#days/intervals.ts'
import { utcDay } from '#days/utc-day.ts'
import { recordEvidence } from '#sources/record-evidence.ts'
import type { BatchCoverage, Heartbeat } from './batch-coverage.ts'

const MIN_LIMIT_MS = 15 * MINUTE_MS
const MAX_LIMIT_MS = 6 * HOUR_MS
const COVERED_DAYS = 7
/** The most ranges of a batch, for all hosts together and for named ones; the longest of each are recorded. */
const MAX_RANGES = 1_000

export interface Delivered {
  site_id: string
  source_id: string
  /** The sender's own name, else the token's id. */
  sender: string
  coverage: BatchCoverage
}

/** Records coverage, the sender with its silences, and the state of the source, whose new row it returns. */
export async function recordBatchCoverage(
  tx: ControlTransaction,
  source: SourceRow,
  delivered: Delivered,
  now: number,
): Promise<SourceRow> {
  const { source_id, sender, coverage } = delivered
  if (coverage.is_empty) return source
  const limit = await silenceLimit(tx, source_id, sender)
  const declared = coverage.declared()
  const everywhere = declared.get('*') ?? []
  const shown = union([...coverage.timeRanges(), ...everywhere])
  const fresh = longestRanges(mergeRanges(shown.map((range) => ({ ...range, silence_limit_ms: limit }))))
  const joined = await joinNeighbours(tx, delivered, fresh, limit)
  const quiet = await quietTimes(tx, delivered, everywhere)
  await writeCoverage(tx, delivered, '*', joined)
  for (const [host, ranges] of ofNamedHosts(declared)) await writeCoverage(tx, delivered, host, ranges)
  await recordSilences(tx, delivered, { shown, joined, quiet, limit })
  const report = await reportOf(tx, delivered)
  await recordSender(tx, delivered, report, now)
  const { has_statuses, sees_edge } = coverage
  const through = report.is_news ? report.through : (source.data_through ?? report.through)
  return recordEvidence(tx, source.id, { through, has_statuses, sees_edge }, now)
}

interface Report {
  through: number
  /** False: the batch reports on some hosts only, after its sender has reported on all, and advances nothing. */
  is_news: boolean
}

/** How far the sender has reported, by this batch: by records about all hosts, else by those about some. */
async function reportOf(tx: ControlTransaction, { source_id, sender, coverage }: Delivered): Promise<Report> {
  // No spread: a batch may have more heartbeats than a call may have arguments.
  const latest = (heartbeats: readonly Heartbeat[], last_at: number) =>
    heartbeats.reduce((found, { to }) => Math.max(found, to), last_at)
  const of_all_hosts = coverage.heartbeats.filter(({ host }) => host === '*')
  const through = latest(of_all_hosts, coverage.last_at)
  if (through > Number.NEGATIVE_INFINITY) return { through, is_news: true }
  const is_news = !(await hasReportedAllHosts(tx, source_id, sender))
  return { through: latest(coverage.heartbeats, through), is_news }
}

/** max(15 min, the sender's longest silence of the last 7 covered days), at most 6 h (rules 3). */
async function silenceLimit(tx: ControlTransaction, source_id: string, sender: string): Promise<number> {
  const days = await tx
    .selectFrom('sender_silences')
    .select('longest_ms')
    .where((is) => is.and({ source_id, sender }))
    .orderBy('day', 'desc')
    .limit(COVERED_DAYS)
    .execute()
  return Math.min(MAX_LIMIT_MS, Math.max(MIN_LIMIT_MS, ...days.map((row) => row.longest_ms)))
}

function ofNamedHosts(declared: Map<string, TimeRange[]>): Map<string, TimeRange[]> {
  const named = [...declared].filter(([host]) => host !== '*')
  const ranges = named.flatMap(([host, ranges]) => ranges.map((range) => ({ ...range, host })))
  return Map.groupBy(longestRanges(ranges), ({ host }) => host)
}

/** The longest ranges, of equal ones the newest, by their beginning. */
function longestRanges<Range extends TimeRange>(ranges: Range[]): Range[] {
  if (ranges.length <= MAX_RANGES) return ranges
  const longest = [...ranges].sort((a, b) => b.to - b.from - (a.to - a.from) || b.from - a.from).slice(0, MAX_RANGES)
  return longest.sort((a, b) => a.from - b.from)
}

interface Joined extends TimeRange {
  /** The silence since the sender's earlier coverage, in milliseconds; 0: none. */
  silence_ms: number
}

/**
 * Joins new time with the sender's coverage before and after it, if the silence in between is normal for this sender.
 * Late records join only the coverage next to them.
 */
async function joinNeighbours(
  tx: ControlTransaction,
  { source_id, sender }: Delivered,
  fresh: readonly TimeRange[],
  limit: number,
): Promise<Joined[]> {
  const first = fresh[0]
  const last = fresh.at(-1)
  if (first === undefined || last === undefined) return []
  const known = await tx
    .selectFrom('coverage_intervals')
    .select(['from_at', 'to_at'])
    .where((is) => is.and({ source_id, sender, host: '*' }))
    .where('to_at', '>=', first.from - limit)
    .where('from_at', '<=', last.to + limit)
    .orderBy('from_at')
    .execute()
  return fresh.map(({ from, to }) => {
    const before = known.filter((row) => row.to_at <= from && from - row.to_at <= limit).map((row) => row.to_at)
    const after = known.filter((row) => row.from_at >= to && row.from_at - to <= limit).map((row) => row.from_at)
    const joined_from = before.length === 0 ? from : Math.max(...before)
    const joined_to = after.length === 0 ? to : Math.min(...after)
    return { from: joined_from, to: joined_to, silence_ms: from - joined_from }
  })
}

/** Time of heartbeats for which the sender has delivered no records, so that it had no requests. */
async function quietTimes(
  tx: ControlTransaction,
  { source_id, sender, coverage }: Delivered,
  heartbeats: readonly TimeRange[],
): Promise<TimeRange[]> {
  const [first, last] = [heartbeats[0], heartbeats.at(-1)]
  if (first === undefined || last === undefined) return []
  const known = await tx
    .selectFrom('coverage_intervals')
    .select(['from_at as from', 'to_at as to'])
    .where((is) => is.and({ source_id, sender, host: '*' }))
    .where('to_at', '>', first.from)
    .where('from_at', '<', last.to)
    .execute()
  return intersection(heartbeats, complement([...known, ...coverage.timeRanges()]))
}

async function writeCoverage(
  tx: ControlTransaction,
  { site_id, source_id, sender }: Delivered,
  host: string,
  ranges: readonly TimeRange[],
): Promise<void> {
  if (ranges.length === 0) return
  await recordCoverage(tx, {
    site_id,
    source_id,
    host,
    sender,
    is_declared: 0,
    // Refused records are judged by day (count-records.ts).
    quality: 'complete',
    reason: '',
    // The limit of silences was decided above, from everything that the sender has delivered.
    ranges: ranges.map(({ from, to }) => ({ from, to, silence_limit_ms: 0 })),
  })
}

/** The time that a batch shows by itself, as joined with the sender's earlier coverage, and proven to be quiet. */
interface ShownTime {
  /** Without the silences in between. */
  shown: readonly TimeRange[]
  joined: readonly Joined[]
  quiet: readonly TimeRange[]
  /** The longest silence that counts as covered. */
  limit: number
}

/** Records covered silences, between records or by a heartbeat: they are normal for this sender from now on. */
async function recordSilences(
  tx: ControlTransaction,
  { source_id, sender, coverage }: Delivered,
  { shown, joined, quiet, limit }: ShownTime,
): Promise<void> {
  const longest = new Map<string, number>()
  const note = (ended_at: number, ms: number) => {
    const day = utcDay(ended_at)
    longest.set(day, Math.max(ms, longest.get(day) ?? ms))
  }
  for (const { ended_at, ms } of coverage.silences(limit)) note(ended_at, ms)
  // A silence may also be between a record and a heartbeat, or between two heartbeats.
  shown.forEach(({ to }, index) => {
    const next = shown[index + 1]
    if (next !== undefined && next.from - to <= limit) note(next.from, next.from - to)
  })
  for (const { from, silence_ms } of joined) if (silence_ms > 0) note(from + silence_ms, silence_ms)
  for (const { from, to } of quiet) note(to - 1, to - from)
  for (const [day, longest_ms] of longest) {
    await tx
      .insertInto('sender_silences')
      .values({ source_id, sender, day, longest_ms })
      .onConflict((conflict) => conflict.columns(['source_id', 'sender', 'day']).doUpdateSet({ longest_ms: LONGER }))
      .execute()
  }
}

const LONGER = sql<number>`CASE WHEN excluded.longest_ms > sender_silences.longest_ms
  THEN excluded.longest_ms ELSE sender_silences.longest_ms END`

async function recordSender(
  tx: ControlTransaction,
  { source_id, sender: name }: Delivered,
  { through, is_news }: Report,
  now: number,
): Promise<void> {
  const known = await tx
    .selectFrom('senders')
    .selectAll()
    .where((is) => is.and({ source_id, name }))
    .executeTakeFirst()
  if (known === undefined) {
    const row = { source_id, name, last_record_at: through, last_received_at: now }
    await tx.insertInto('senders').values(row).execute()
    return
  }
  await tx
    .updateTable('senders')
    .set({
      last_record_at: is_news ? Math.max(known.last_record_at, through) : known.last_record_at,
      last_received_at: now,
      // A sender that delivers is in use again, even if it was retired.
      retired_at: null,
    })
    .where((is) => is.and({ source_id, name }))
    .execute()
}

async function hasReportedAllHosts(tx: ControlTransaction, source_id: string, sender: string): Promise<boolean> {
  const reported = await tx
    .selectFrom('coverage_intervals')
    .select('id')
    .where((is) => is.and({ source_id, sender, host: '*' }))
    .limit(1)
    .executeTakeFirst()
  return reported !== undefined
}
