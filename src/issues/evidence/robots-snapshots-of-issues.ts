/** Snapshots of robots.txt that may cause an issue, and when crawlers fetched them (rules 8.1, robots; rules 8.4). */
import type { ControlDb } from '#control/store.ts'
import type { RobotsSnapshotRow } from '#control/tables.ts'
import type { PageOutcome } from './page-outcomes.sql.ts'

/**
 * The newest robots.txt of each host, if it is known for a time: two fetches returned it, and no challenge.
 */
export async function findKnownFiles(db: ControlDb, site_id: string): Promise<RobotsSnapshotRow[]> {
  const rows: RobotsSnapshotRow[] = await db
    .selectFrom('robots_snapshots')
    .selectAll()
    .where('site_id', '=', site_id)
    .orderBy('last_fetched_at')
    .execute()
  const newest = new Map(rows.map((row) => [row.host, row]))
  return [...newest.values()].filter(
    ({ status, is_challenge, first_fetched_at, last_fetched_at }) =>
      status !== null && status >= 200 && status < 300 && is_challenge === 0 && first_fetched_at < last_fetched_at,
  )
}

/**
 * Instants within the known time at which a crawler got robots.txt, ascending: the first and the last of each outcome.
 */
export function fetchesOf(
  { first_fetched_at, last_fetched_at }: RobotsSnapshotRow,
  outcomes: readonly PageOutcome[],
  crawler_id: string,
): number[] {
  return outcomes
    .filter((one) => one.crawler_id === crawler_id && (one.status === 304 || (one.status >= 200 && one.status < 300)))
    .flatMap(({ first_ms, last_ms }) => [first_ms, last_ms])
    .filter((at) => at >= first_fetched_at && at <= last_fetched_at)
    .sort((a, b) => a - b)
}

/** The newest inspection that fetched the file. */
export async function findInspectionOf(
  db: ControlDb,
  { site_id, host, first_fetched_at, last_fetched_at }: RobotsSnapshotRow,
): Promise<string | null> {
  const row = await db
    .selectFrom('inspections')
    .select('id')
    .where((is) => is.and({ site_id, host, kind: 'page', state: 'done' }))
    .where('ended_at', '>=', first_fetched_at)
    .where('ended_at', '<=', last_fetched_at)
    .orderBy('ended_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? null
}
