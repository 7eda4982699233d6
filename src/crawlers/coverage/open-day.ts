/**
 * Stores which source counts the open day until it is worse, so that equal ones do not alternate (rules 3, Primary).
 */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { DAY_MS } from '#clock.ts'
import type { ControlTransaction } from '#control/store.ts'
import { dayStart, utcDay } from '#days/utc-day.ts'
import { countOpenDay } from './choose-counting-source.ts'
import { readCoverageSources } from './site-coverage.ts'
import type { Interval } from './source-groups.ts'

/**
 * Runs `write`, which records coverage of a site, and stores which source counts the open day, before and after it. It
 * does so before, because a source that has become worse, for example by its silence, must not count again after its
 * next delivery.
 */
export async function withOpenDay<T>(
  tx: ControlTransaction,
  site_id: string,
  now: number,
  write: () => Promise<T>,
): Promise<T> {
  await storeWinners(tx, site_id, now)
  const written = await write()
  await storeWinners(tx, site_id, now)
  return written
}

async function storeWinners(tx: ControlTransaction, site_id: string, now: number): Promise<void> {
  if (!(await hasSeveralSources(tx, site_id))) return
  const known = await readCoverageSources(tx, site_id)
  const sources = known.sources.filter((source) => source.is_primary === 1)
  // A source is primary from its first evidence on. PostgreSQL takes no empty list.
  if (sources.length === 0) return
  const intervals = await readForOpenDay(
    tx,
    sources.map((source) => source.id),
    now,
  )
  // Reading and counting take about 20 ms each for a site with 1,000 hosts.
  await yieldToEventLoop()
  const day = utcDay(now)
  const before = new Map(known.winners.filter((row) => row.day === day).map((row) => [row.host, row.source_id]))
  const winners = countOpenDay({ ...known, sources, intervals }, now)
    .filter(({ host, source_id }) => before.get(host) !== source_id)
    .map(({ host, source_id }) => ({ site_id, host, day, source_id }))
  for (let at = 0; at < winners.length; at += ROWS_AT_ONCE) {
    await tx
      .insertInto('open_day_winners')
      .values(winners.slice(at, at + ROWS_AT_ONCE))
      .onConflict((conflict) =>
        conflict.columns(['site_id', 'host']).doUpdateSet((row) => ({
          day: row.ref('excluded.day'),
          source_id: row.ref('excluded.source_id'),
        })),
      )
      .execute()
  }
}

/** Rows of one statement. */
const ROWS_AT_ONCE = 250

/**
 * The rows that decide which source counts the open day. They are few, because each delivery reads them twice:
 * intervals from yesterday on as they are, and of older ones only the source, the first and the last instant.
 */
export async function readForOpenDay(
  tx: ControlTransaction,
  source_ids: readonly string[],
  now: number,
): Promise<Interval[]> {
  const yesterday = dayStart(utcDay(now)) - DAY_MS
  const recent = await tx
    .selectFrom('coverage_intervals')
    .select(['source_id', 'host', 'from_at', 'to_at', 'quality'])
    .select(['sender', 'sampling', 'is_backfill', 'is_declared', 'reason'])
    .where('source_id', 'in', source_ids)
    .where('to_at', '>=', yesterday)
    .execute()
  const older = await tx
    .selectFrom('coverage_intervals')
    .select(({ fn }) => ['source_id', 'host', 'sender', fn.min('from_at').as('from_at'), fn.max('to_at').as('to_at')])
    .where('source_id', 'in', source_ids)
    .where('to_at', '<', yesterday)
    .groupBy(['source_id', 'host', 'sender'])
    .execute()
  return [...recent, ...older.map((row) => ({ ...row, quality: 'partial' as const }))]
}

/** Sites with one source, like most, store nothing. A source that cannot count now may count again before midnight. */
async function hasSeveralSources(tx: ControlTransaction, site_id: string): Promise<boolean> {
  const sources = await tx.selectFrom('sources').select(['id']).where('site_id', '=', site_id).limit(2).execute()
  return sources.length > 1
}
