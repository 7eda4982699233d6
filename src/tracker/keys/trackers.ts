/** Enables and disables the tracker of a site (rules 6). */
import type { ControlContext } from '#control/context.ts'
import type { ControlTransaction } from '#control/store.ts'
import type { TrackerRow } from '#control/tables.ts'
import { Refusal } from '#refusal.ts'
import type { SecretBox } from '#secrets/secret-box.ts'
import { insertTrackerKey, listTrackerKeys, type TrackerKey } from './keys.ts'
import { drawOrderKey } from './order-key.ts'

export interface TrackerKeyContext extends ControlContext {
  secrets: SecretBox
}

/** The tracker of a site with its keys; instants in epoch milliseconds. */
export interface Tracker extends Omit<TrackerRow, 'sealed_order_key'> {
  /** Oldest first, including revoked ones. */
  keys: TrackerKey[]
  /** The newest public id in force, for the snippet; null if all are revoked. */
  public_id: string | null
}

/**
 * Enables a site's tracker: creates it with an order key, or ends its pause. A site without a public id in force gets a
 * new one. Enabling it again changes nothing.
 * @throws Refusal site_not_found (the site was removed), conflict (20 keys in force, none of them public).
 */
export function enableTracker(
  { control, clock, secrets }: TrackerKeyContext,
  { site_id }: { site_id: string },
): Promise<Tracker> {
  const sealed_order_key = drawOrderKey(secrets, site_id)
  return control.transaction(async (trx) => {
    const now = clock.now()
    await refuseRemoved(trx, site_id)
    const never = { disabled_at: null, first_event_at: null, last_event_at: null }
    await trx
      .insertInto('trackers')
      .values({ site_id, enabled_at: now, ...never, sealed_order_key })
      .onConflict((conflict) => conflict.column('site_id').doNothing())
      .execute()
    await endPause(trx, site_id, now)
    const tracker = await trackerIn(trx, site_id)
    if (tracker.public_id !== null) return tracker
    await insertTrackerKey(trx, { site_id, kind: 'public', now })
    return trackerIn(trx, site_id)
  })
}

/**
 * Disables a site's tracker: no events are accepted until it is enabled again, and the time between is a gap that the
 * owner caused.
 * @throws Refusal not_found: it was never enabled.
 */
export function disableTracker({ control, clock }: ControlContext, { site_id }: { site_id: string }): Promise<Tracker> {
  return control.transaction(async (trx) => {
    const tracker = await trackerIn(trx, site_id)
    if (tracker.disabled_at !== null) return tracker
    const now = clock.now()
    await trx
      .insertInto('tracker_pauses')
      .values({ site_id, from_at: now, to_at: null })
      // The tracker may be disabled, enabled and disabled again within one millisecond.
      .onConflict((conflict) => conflict.columns(['site_id', 'from_at']).doUpdateSet({ to_at: null }))
      .execute()
    await trx.updateTable('trackers').set({ disabled_at: now }).where('site_id', '=', site_id).execute()
    return { ...tracker, disabled_at: now }
  })
}

/** @throws Refusal not_found: it was never enabled. */
export function readTracker(
  { control }: Pick<ControlContext, 'control'>,
  { site_id }: { site_id: string },
): Promise<Tracker> {
  return control.snapshot((trx) => trackerIn(trx, site_id))
}

/** The tag for a site's pages; `origin` is where browsers reach Spoor. With `data-local` it runs on localhost, too. */
export function snippetOf(origin: string, public_id: string, option?: 'data-local'): string {
  const options = option === undefined ? '' : ` ${option}`
  return `<script defer src="${origin}/spoor.js?site=${public_id}" data-site="${public_id}"${options}></script>`
}

/** The newest public id in force; null if all are revoked. */
export function findPublicId(keys: readonly TrackerKey[]): string | null {
  return keys.findLast((key) => key.kind === 'public' && key.revoked_at === null)?.prefix ?? null
}

async function trackerIn(trx: ControlTransaction, site_id: string): Promise<Tracker> {
  const found = await trx.selectFrom('trackers').selectAll().where('site_id', '=', site_id).executeTakeFirst()
  if (found === undefined) {
    throw new Refusal('not_found', 'The site has no tracker yet: enable it ({next}).', {
      next: { step: 'tracker.enable' },
    })
  }
  const { sealed_order_key: _sealed, ...row } = found
  const keys = await listTrackerKeys(trx, site_id)
  return { ...row, keys, public_id: findPublicId(keys) }
}

/** Ends the pause; not before it began, even if the clock was set back. */
async function endPause(trx: ControlTransaction, site_id: string, now: number): Promise<void> {
  const open = await trx
    .selectFrom('tracker_pauses')
    .select('from_at')
    .where('site_id', '=', site_id)
    .where('to_at', 'is', null)
    .execute()
  for (const { from_at } of open) {
    await trx
      .updateTable('tracker_pauses')
      .set({ to_at: Math.max(now, from_at) })
      .where((is) => is.and({ site_id, from_at }))
      .execute()
  }
  await trx.updateTable('trackers').set({ disabled_at: null }).where('site_id', '=', site_id).execute()
}

async function refuseRemoved(trx: ControlTransaction, site_id: string): Promise<void> {
  const site = await trx.selectFrom('sites').select('id').where('id', '=', site_id).executeTakeFirst()
  if (site === undefined) throw new Refusal('site_not_found', `The site ${site_id} has been removed.`)
}
