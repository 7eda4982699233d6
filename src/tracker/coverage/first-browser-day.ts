/** The day from which the tracker covers browsers. Events of servers prove no coverage of browsers (rules 6). */
import type { ControlDb } from '#control/store.ts'
import { FROM_SERVERS } from '../collection/collection-counts.ts'

/**
 * The first UTC day in the control store with an accepted event of a browser, or with an inspection that found the
 * snippet; null if there is none. Once retention has deleted these records, `trackers.browsers_from` holds the day.
 */
export async function findFirstBrowserDay(db: ControlDb, site_id: string): Promise<string | null> {
  const counted = await db
    .selectFrom('collection_counts')
    .select('day')
    .where((is) => is.and({ site_id, outcome: 'accepted' }))
    .where('reason', '!=', FROM_SERVERS)
    .where('events', '>', 0)
    .orderBy('day')
    .limit(1)
    .executeTakeFirst()
  const inspected = await db
    .selectFrom('snippet_proofs')
    .select('day')
    .where((is) => is.and({ site_id, proof: 'inspection' }))
    .orderBy('day')
    .limit(1)
    .executeTakeFirst()
  const [first = null] = [counted, inspected].flatMap((row) => (row === undefined ? [] : [row.day])).sort()
  return first
}
