/** Which readings of a provider's hours count (rules 4), for statements on facts and for roll-ups. */

import { DAY_MS } from '#clock.ts'
import type { ControlDb } from '#control/store.ts'
import { dayStart } from '#days/utc-day.ts'
import { dayRanges } from '#days/windows.ts'
import { type Fragment, list, or, sql } from '#evidence/sql.ts'

/** The readings that count on these days, ascending. Call it in the snapshot that coverage is read in. */
export async function findCountingReadings(db: ControlDb, site_id: string, days: readonly string[]): Promise<number[]> {
  if (days.length === 0) return []
  const rows = await db
    .selectFrom('hour_readings')
    .innerJoin('sources', 'sources.id', 'hour_readings.source_id')
    .select('hour_readings.reading')
    .where('sources.site_id', '=', site_id)
    .where((where) =>
      where.or(
        dayRanges(days).map(({ from, to }) =>
          where.and([where('hour', '>=', dayStart(from)), where('hour', '<', dayStart(to) + DAY_MS)]),
        ),
      ),
    )
    .orderBy('hour_readings.reading')
    .execute()
  return rows.map((row) => row.reading)
}

/** The readings that count, of every site and all days. */
export async function findAllCountingReadings(db: ControlDb): Promise<number[]> {
  const rows = await db.selectFrom('hour_readings').select('reading').orderBy('reading').execute()
  return rows.map((row) => row.reading)
}

/** The longest list of a parameter (evidence/parameters.ts); more readings take several lists. */
const LIST_ITEMS = 10_000

/**
 * A condition for facts that count: those of sources without readings, and those of these readings. It must not exclude
 * known readings instead, because a reading that is being written must not count beside the one that it replaces.
 */
export function inCountingReadings(readings: readonly number[]): Fragment {
  const lists: Fragment[] = [sql`reading = 0`]
  for (let at = 0; at < readings.length; at += LIST_ITEMS) {
    lists.push(sql`reading IN ${list('UInt64', readings.slice(at, at + LIST_ITEMS))}`)
  }
  return or(lists)
}
