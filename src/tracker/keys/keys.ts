/** Public tracker ids and server keys of a site (rules 6). The caller has checked the permission `manage_keys`. */
import { randomUUID } from 'node:crypto'
import { pickIssued, withoutHash } from '#accounts/bearer-secret.ts'
import type { ControlContext } from '#control/context.ts'
import type { ControlDb, ControlTransaction } from '#control/store.ts'
import type { TrackerKeyRow } from '#control/tables.ts'
import { Refusal } from '#refusal.ts'
import { publicIds, serverKeys } from './kinds.ts'

/** The most keys of both kinds together that a site may have in force. */
export const MAX_KEYS = 20

/** A key without its secret; `prefix` is the whole key if it is public. Instants in epoch milliseconds. */
export type TrackerKey = Omit<TrackerKeyRow, 'secret_sha256'>

/** A new key with its secret. That of a server key is shown only once. */
export type IssuedTrackerKey = TrackerKey & { secret: string }

/** Creates another key of a site with a tracker. @throws Refusal conflict (no tracker, 20 keys in force). */
export function createTrackerKey(
  { control, clock }: ControlContext,
  { site_id, kind }: { site_id: string; kind: TrackerKeyRow['kind'] },
): Promise<IssuedTrackerKey> {
  return control.transaction(async (trx) => {
    const tracker = await trx.selectFrom('trackers').select('site_id').where('site_id', '=', site_id).executeTakeFirst()
    if (tracker === undefined) {
      throw new Refusal('conflict', 'The site has no tracker yet: enable it first ({next}).', {
        next: { step: 'tracker.enable' },
      })
    }
    return insertTrackerKey(trx, { site_id, kind, now: clock.now() })
  })
}

/** The keys of a site, including revoked ones, oldest first. */
export async function listTrackerKeys(db: ControlDb, site_id: string): Promise<TrackerKey[]> {
  const keys = await db
    .selectFrom('tracker_keys')
    .selectAll()
    .where('site_id', '=', site_id)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return keys.map((key) => withoutHash(key))
}

/**
 * Revokes a key of a site, named by its id, its prefix or the whole key. Revoking it again changes nothing.
 * @throws Refusal not_found, conflict (several keys have the prefix).
 */
export function revokeTrackerKey(
  { control, clock }: ControlContext,
  { site_id, key }: { site_id: string; key: string },
): Promise<TrackerKey> {
  return control.transaction(async (trx) => {
    const found = await findKey(trx, site_id, key)
    if (found.revoked_at !== null) return withoutHash(found)
    const revoked_at = clock.now()
    await trx.updateTable('tracker_keys').set({ revoked_at }).where('id', '=', found.id).execute()
    return withoutHash({ ...found, revoked_at })
  })
}

/** Creates a key and stores its hash. @throws Refusal conflict: 20 keys are in force. */
export async function insertTrackerKey(
  trx: ControlTransaction,
  { site_id, kind, now }: { site_id: string; kind: TrackerKeyRow['kind']; now: number },
): Promise<IssuedTrackerKey> {
  const inForce = (await listTrackerKeys(trx, site_id)).filter((key) => key.revoked_at === null)
  if (inForce.length >= MAX_KEYS) {
    throw new Refusal(
      'conflict',
      `The site has ${MAX_KEYS} tracker keys in force, the most that it may have: revoke one that is no longer used.`,
    )
  }
  const { secret, prefix, secret_sha256 } = (kind === 'public' ? publicIds : serverKeys).draw()
  const shown = kind === 'public' ? secret : prefix
  const row: TrackerKeyRow = {
    id: randomUUID(),
    site_id,
    kind,
    secret_sha256,
    prefix: shown,
    created_at: now,
    revoked_at: null,
  }
  await trx.insertInto('tracker_keys').values(row).execute()
  return { ...withoutHash(row), secret }
}

async function findKey(trx: ControlTransaction, site_id: string, text: string): Promise<TrackerKeyRow> {
  const keys = await trx.selectFrom('tracker_keys').selectAll().where('site_id', '=', site_id).execute()
  const unknown = new Refusal('not_found', 'No tracker key of this site has that id or prefix: {next} shows both.', {
    next: { step: 'tracker.key_list' },
  })
  return pickIssued(keys, text, { what: 'key', unknown })
}
