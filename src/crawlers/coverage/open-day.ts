/** Which source counts the open day is remembered: it stays until it is worse, so that two alike do not take turns (rules 3, Primary). */

import type { ControlTransaction } from '#control/store.ts'
import { utcDay } from '#days/utc-day.ts'
import { countOpenDay } from './counting.ts'
import { readWatchedEvidence } from './site-coverage.ts'

/**
 * Runs `write`, which records coverage of a site, and remembers who counts the open day before and after it. Before it, because what
 * had become worse by then, for example by falling silent, must not come back with its next delivery.
 */
export async function withOpenDay<T>(
  tx: ControlTransaction,
  site_id: string,
  now: number,
  write: () => Promise<T>,
): Promise<T> {
  await rememberWinners(tx, site_id, now)
  const written = await write()
  await rememberWinners(tx, site_id, now)
  return written
}

async function rememberWinners(tx: ControlTransaction, site_id: string, now: number): Promise<void> {
  if (!(await hasRivals(tx, site_id))) return
  const known = await readWatchedEvidence(tx, site_id)
  const sources = known.sources.filter((source) => source.is_primary === 1)
  const ids = new Set(sources.map((source) => source.id))
  const intervals = known.intervals.filter((row) => ids.has(row.source_id))
  const day = utcDay(now)
  const before = new Map(known.winners.filter((row) => row.day === day).map((row) => [row.host, row.source_id]))
  for (const { host, source_id } of countOpenDay({ ...known, sources, intervals }, now)) {
    if (before.get(host) === source_id) continue
    await tx
      .insertInto('open_day_winners')
      .values({ site_id, host, day, source_id })
      .onConflict((conflict) => conflict.columns(['site_id', 'host']).doUpdateSet({ day, source_id }))
      .execute()
  }
}

/** With one primary there is nothing to remember, and most sites have one. */
async function hasRivals(tx: ControlTransaction, site_id: string): Promise<boolean> {
  const primaries = await tx
    .selectFrom('sources')
    .select(['id'])
    .where('site_id', '=', site_id)
    .where('is_primary', '=', 1)
    .limit(2)
    .execute()
  return primaries.length > 1
}
