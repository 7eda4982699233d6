/** The history of robots.txt: consecutive equal fetches are one snapshot, and each body is stored once (rules 8.4). */
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { ControlDb, ControlStore } from '#control/store.ts'
import type { RobotsSnapshotRow } from '#control/tables.ts'
import { MAX_ROBOTS_BYTES } from '#robots/parse.ts'
import type { RobotsVisit } from './robots-visit.ts'

/** Whose robots.txt it is: of a scheme and host, with its port if that is not the scheme's own. */
export type RobotsHost = Pick<RobotsSnapshotRow, 'site_id' | 'scheme' | 'host'>

export interface RobotsFetched extends RobotsHost {
  visit: RobotsVisit
  /** Epoch milliseconds. */
  fetched_at: number
}

/** Extends the newest snapshot of the host if the fetch equals it, else begins a new one. */
export async function recordRobots(control: ControlStore, fetched: RobotsFetched): Promise<void> {
  const { site_id, scheme, host, visit, fetched_at } = fetched
  const { sha256 } = visit
  const body = (await promisify(gzip)(visit.body.subarray(0, MAX_ROBOTS_BYTES))).toString('base64')
  const found = {
    // A success status without a body would mean that there are no rules.
    status: visit.is_unreadable ? null : visit.status,
    failure: visit.code,
    sha256,
    is_truncated: visit.is_truncated ? (1 as const) : (0 as const),
    is_challenge: visit.is_challenge ? (1 as const) : (0 as const),
  }
  await control.transaction(async (tx) => {
    const site = await tx.selectFrom('sites').select('id').where('id', '=', site_id).executeTakeFirst()
    // The site may have been removed while its file was fetched.
    if (site === undefined) return
    if (sha256 !== null) {
      await tx
        .insertInto('robots_bodies')
        .values({ site_id, sha256, size_bytes: Math.min(visit.body.length, MAX_ROBOTS_BYTES), body })
        .onConflict((conflict) => conflict.columns(['site_id', 'sha256']).doNothing())
        .execute()
    }
    const last = await newestSnapshot(tx, { site_id, scheme, host })
    if (last !== undefined && isAlike(last, found)) {
      await tx.updateTable('robots_snapshots').set({ last_fetched_at: fetched_at }).where('id', '=', last.id).execute()
      return
    }
    const times = { first_fetched_at: fetched_at, last_fetched_at: fetched_at }
    await tx
      .insertInto('robots_snapshots')
      .values({ id: randomUUID(), site_id, scheme, host, ...times, ...found })
      .execute()
  })
}

type Found = Pick<RobotsSnapshotRow, 'status' | 'failure' | 'sha256' | 'is_challenge'>

const isAlike = (a: Found, b: Found) =>
  a.status === b.status && a.failure === b.failure && a.sha256 === b.sha256 && a.is_challenge === b.is_challenge

async function newestSnapshot(
  db: ControlDb,
  { site_id, scheme, host }: RobotsHost,
): Promise<RobotsSnapshotRow | undefined> {
  return db
    .selectFrom('robots_snapshots')
    .selectAll()
    .where((is) => is.and({ site_id, scheme, host }))
    .orderBy('last_fetched_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** The snapshots of a host, ascending in time. */
export async function findSnapshots(
  db: ControlDb,
  { site_id, scheme, host }: RobotsHost,
): Promise<RobotsSnapshotRow[]> {
  return db
    .selectFrom('robots_snapshots')
    .selectAll()
    .where((is) => is.and({ site_id, scheme, host }))
    .orderBy('first_fetched_at')
    .execute()
}

/** The body of a snapshot; empty if it has none. */
export async function readRobotsBody(
  db: ControlDb,
  { site_id, sha256 }: Pick<RobotsSnapshotRow, 'site_id' | 'sha256'>,
): Promise<Buffer> {
  if (sha256 === null) return Buffer.alloc(0)
  const row = await db
    .selectFrom('robots_bodies')
    .select('body')
    .where((is) => is.and({ site_id, sha256 }))
    .executeTakeFirstOrThrow()
  return promisify(gunzip)(Buffer.from(row.body, 'base64'))
}
