/** Stores the coverage of deliveries. Intervals of one source, sender, host and quality are joined (rules 3). */
import { randomUUID } from 'node:crypto'
import { DAY_MS } from '#clock.ts'
import type { ControlTransaction } from '#control/store.ts'
import type { CoverageIntervalRow } from '#control/tables.ts'
import { type EdgedRange, type JoinableRange, mergeRanges } from '#crawlers/coverage/join-covered-time.ts'
import { complement, intersection, overlap, union } from '#days/intervals.ts'
import { splitByDay } from '#days/split-by-day.ts'
import { dayStart } from '#days/utc-day.ts'
import { reviseContracts } from '../authority/revise-contracts.ts'

export interface CoverageInput {
  site_id: string
  source_id: string
  host: string
  quality: CoverageIntervalRow['quality']
  reason: string
  is_declared: CoverageIntervalRow['is_declared']
  /** The sender of a live source; left out, the source has none. */
  sender?: string
  /** The share of requests that was sampled; left out or null: all of them. */
  sampling?: number | null
  /** 1: the provider's history from before the connection. */
  is_backfill?: CoverageIntervalRow['is_backfill']
  ranges: readonly JoinableRange[]
}

/** Adds ranges to the coverage of a source, and joins them with neighbours that differ in nothing but time. */
export async function recordCoverage(tx: ControlTransaction, covered: CoverageInput): Promise<void> {
  const { sender = '', sampling = null, is_backfill = 0 } = covered
  const sameKind = await tx
    .selectFrom('coverage_intervals')
    .selectAll()
    .where('source_id', '=', covered.source_id)
    .where('host', '=', covered.host)
    .where('quality', '=', covered.quality)
    .where((is) => is.and({ reason: covered.reason, is_declared: covered.is_declared, sender }))
    .where('sampling', sampling === null ? 'is' : '=', sampling)
    .where('is_backfill', '=', is_backfill)
    .where('delivery_id', 'is', null)
    .execute()
  const merged = mergeRanges([...sameKind.map(rangeOf), ...covered.ranges])
  const unchanged = new Set(merged.map(rangeKey))
  const outdated = sameKind.filter((row) => !unchanged.delete(rangeKey(rangeOf(row))))
  for (const row of outdated) await tx.deleteFrom('coverage_intervals').where('id', '=', row.id).execute()
  for (const range of merged.filter((candidate) => unchanged.has(rangeKey(candidate)))) {
    await insertInterval(tx, covered, range, null)
  }
  await reviseContracts(tx, covered)
}

/**
 * Records the days for which an upload has new coverage, because uploads age from receipt (rules 4). A day that was
 * covered as completely before keeps its age, because repeats must not keep evidence for ever. Call it before
 * `recordCoverage`.
 */
export async function recordReceipts(
  tx: ControlTransaction,
  covered: CoverageInput,
  received_at: number,
): Promise<void> {
  const { site_id, source_id } = covered
  const intervals = await tx
    .selectFrom('coverage_intervals')
    .selectAll()
    .where((is) => is.and({ source_id, host: covered.host }))
    .where('delivery_id', 'is', null)
    .execute()
  const known = union(
    intervals
      .filter((row) => row.quality === 'complete' || row.quality === covered.quality)
      .map((row) => ({ from: row.from_at, to: row.to_at })),
  )
  const days = Map.groupBy(splitByDay(covered.ranges), ([, parts]) =>
    parts.some((part) => overlap(known, part) !== 'inside'),
  )
  for (const [is_new, of_kind] of days) {
    const receipts = of_kind.map(([day]) => ({ site_id, source_id, day, received_at }))
    for (let at = 0; at < receipts.length; at += RECEIPTS_AT_ONCE) {
      await tx
        .insertInto('day_receipts')
        .values(receipts.slice(at, at + RECEIPTS_AT_ONCE))
        .onConflict((conflict) => {
          const same = conflict.columns(['source_id', 'day'])
          return is_new ? same.doUpdateSet({ received_at }) : same.doNothing()
        })
        .execute()
    }
  }
}

/** Rows of one statement. */
const RECEIPTS_AT_ONCE = 500

/** Removes days from the coverage of a source: from now on they are gaps. */
export async function removeCoveredDays(
  tx: ControlTransaction,
  source_id: string,
  days: ReadonlySet<string>,
): Promise<void> {
  const intervals = await tx.selectFrom('coverage_intervals').selectAll().where('source_id', '=', source_id).execute()
  const expired = union([...days].map((day) => ({ from: dayStart(day), to: dayStart(day) + DAY_MS })))
  const others = complement(expired)
  for (const row of intervals) {
    const covered = { from: row.from_at, to: row.to_at }
    if (overlap(expired, covered) === 'apart') continue
    const remaining = intersection([covered], others)
    await tx.deleteFrom('coverage_intervals').where('id', '=', row.id).execute()
    for (const { from, to } of remaining) {
      await insertInterval(tx, { ...row, ranges: [] }, { ...rangeOf(row), from, to }, row.delivery_id)
    }
  }
}

/** Records what an unfinished delivery has covered so far: partial, and separate until its end (rules 3). */
export async function recordUnfinishedCoverage(
  tx: ControlTransaction,
  deliveryId: string,
  covered: Pick<CoverageInput, 'site_id' | 'source_id' | 'host' | 'ranges'>,
): Promise<void> {
  const kind = { ...covered, quality: 'partial', reason: 'unfinished', is_declared: 0 } as const
  for (const range of covered.ranges) await insertInterval(tx, kind, range, deliveryId)
}

/** Removes the coverage of an unfinished delivery. Call it when the delivery ends and records its own. */
export async function removeUnfinishedCoverage(tx: ControlTransaction, deliveryId: string): Promise<void> {
  await tx.deleteFrom('coverage_intervals').where('delivery_id', '=', deliveryId).execute()
}

async function insertInterval(
  tx: ControlTransaction,
  covered: CoverageInput,
  { from, to, silence_limit_ms, silence_before_ms = silence_limit_ms }: JoinableRange,
  deliveryId: string | null,
): Promise<void> {
  const { sender = '', sampling = null, is_backfill = 0 } = covered
  await tx
    .insertInto('coverage_intervals')
    .values({
      id: randomUUID(),
      site_id: covered.site_id,
      source_id: covered.source_id,
      host: covered.host,
      from_at: from,
      to_at: to,
      quality: covered.quality,
      reason: covered.reason,
      is_declared: covered.is_declared,
      silence_limit_ms,
      silence_before_ms,
      delivery_id: deliveryId,
      sender,
      sampling,
      is_backfill,
    })
    .execute()
}

function rangeOf(row: CoverageIntervalRow): EdgedRange {
  const { from_at, to_at, silence_limit_ms, silence_before_ms } = row
  return { from: from_at, to: to_at, silence_limit_ms, silence_before_ms }
}

function rangeKey({ from, to, silence_limit_ms, silence_before_ms }: EdgedRange): string {
  return `${from} ${to} ${silence_limit_ms} ${silence_before_ms}`
}
