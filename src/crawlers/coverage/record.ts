/** Writes what a delivery watched. Intervals of one source, sender, host and quality merge on write (rules 3). */
import { randomUUID } from 'node:crypto'
import { DAY_MS } from '#clock.ts'
import type { ControlTransaction } from '#control/store.ts'
import type { CoverageIntervalRow } from '#control/tables.ts'
import {
  complement,
  type EdgedRange,
  intersection,
  type JoinableRange,
  mergeRanges,
  overlap,
  union,
} from '#days/intervals.ts'
import { splitByDay } from '#days/split-by-day.ts'
import { dayStart } from '#days/utc-day.ts'
import { keepContracts } from '../authority/keep-contracts.ts'

export interface CoverageInput {
  site_id: string
  source_id: string
  host: string
  quality: CoverageIntervalRow['quality']
  reason: string
  is_declared: CoverageIntervalRow['is_declared']
  /** Which sender of a live source; left out, the source has none. */
  sender?: string
  /** Which share of the requests was looked at; left out or null, all of them. */
  sampling?: number | null
  /** 1: the provider's history from before the connection. */
  is_backfill?: CoverageIntervalRow['is_backfill']
  ranges: readonly JoinableRange[]
}

/** Adds ranges to what the source is known to have watched, joining neighbours that agree in all but time. */
export async function recordCoverage(tx: ControlTransaction, watched: CoverageInput): Promise<void> {
  const { sender = '', sampling = null, is_backfill = 0 } = watched
  const sameKind = await tx
    .selectFrom('coverage_intervals')
    .selectAll()
    .where('source_id', '=', watched.source_id)
    .where('host', '=', watched.host)
    .where('quality', '=', watched.quality)
    .where('reason', '=', watched.reason)
    .where('is_declared', '=', watched.is_declared)
    .where('sender', '=', sender)
    .where('sampling', sampling === null ? 'is' : '=', sampling)
    .where('is_backfill', '=', is_backfill)
    .where('delivery_id', 'is', null)
    .execute()
  const merged = mergeRanges([...sameKind.map(rangeOf), ...watched.ranges])
  const unchanged = new Set(merged.map(rangeKey))
  const outdated = sameKind.filter((row) => !unchanged.delete(rangeKey(rangeOf(row))))
  for (const row of outdated) await tx.deleteFrom('coverage_intervals').where('id', '=', row.id).execute()
  for (const range of merged.filter((candidate) => unchanged.has(rangeKey(candidate)))) {
    await insertInterval(tx, watched, range, null)
  }
  await keepContracts(tx, watched)
}

/**
 * Notes on which days an upload brought something new, because uploads age from receipt (rules 4). A day whose time was watched
 * as well before keeps its age: repeating an upload must not keep evidence for ever. Call it before `recordCoverage`.
 */
export async function recordReceipts(
  tx: ControlTransaction,
  watched: CoverageInput,
  received_at: number,
): Promise<void> {
  const { site_id, source_id } = watched
  const intervals = await tx
    .selectFrom('coverage_intervals')
    .selectAll()
    .where('source_id', '=', source_id)
    .where('host', '=', watched.host)
    .where('delivery_id', 'is', null)
    .execute()
  const known = union(
    intervals
      .filter((row) => row.quality === 'complete' || row.quality === watched.quality)
      .map((row) => ({ from: row.from_at, to: row.to_at })),
  )
  const days = Map.groupBy(splitByDay(watched.ranges), ([, parts]) =>
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

/** Takes days out of what a source watched: from now on they are gaps. */
export async function forgetDays(tx: ControlTransaction, source_id: string, days: ReadonlySet<string>): Promise<void> {
  const intervals = await tx.selectFrom('coverage_intervals').selectAll().where('source_id', '=', source_id).execute()
  const expired = union([...days].map((day) => ({ from: dayStart(day), to: dayStart(day) + DAY_MS })))
  const others = complement(expired)
  for (const row of intervals) {
    const watched = { from: row.from_at, to: row.to_at }
    if (overlap(expired, watched) === 'apart') continue
    const kept = intersection([watched], others)
    await tx.deleteFrom('coverage_intervals').where('id', '=', row.id).execute()
    for (const { from, to } of kept) {
      await insertInterval(tx, { ...row, ranges: [] }, { ...rangeOf(row), from, to }, row.delivery_id)
    }
  }
}

/** What a delivery that has not ended has written so far: partial, and kept apart until its end (rules 3). */
export async function recordUnfinished(
  tx: ControlTransaction,
  deliveryId: string,
  watched: Pick<CoverageInput, 'site_id' | 'source_id' | 'host' | 'ranges'>,
): Promise<void> {
  const kind = { ...watched, quality: 'partial', reason: 'unfinished', is_declared: 0 } as const
  for (const range of watched.ranges) await insertInterval(tx, kind, range, deliveryId)
}

/** Takes back what a delivery left while unfinished, once its end says what it watched. */
export async function forgetUnfinished(tx: ControlTransaction, deliveryId: string): Promise<void> {
  await tx.deleteFrom('coverage_intervals').where('delivery_id', '=', deliveryId).execute()
}

async function insertInterval(
  tx: ControlTransaction,
  watched: CoverageInput,
  { from, to, silence_limit_ms, silence_before_ms = silence_limit_ms }: JoinableRange,
  deliveryId: string | null,
): Promise<void> {
  const { sender = '', sampling = null, is_backfill = 0 } = watched
  await tx
    .insertInto('coverage_intervals')
    .values({
      id: randomUUID(),
      site_id: watched.site_id,
      source_id: watched.source_id,
      host: watched.host,
      from_at: from,
      to_at: to,
      quality: watched.quality,
      reason: watched.reason,
      is_declared: watched.is_declared,
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
