import { randomUUID } from 'node:crypto'
import { revokeOrphanedKeys } from '#accounts/revoke-orphaned-keys.ts'
import type { ControlContext } from '#control/context.ts'
import type { ControlStore } from '#control/store.ts'
import type { SiteRow } from '#control/tables.ts'
import { Refusal } from '#refusal.ts'
import { refuseTakenName } from './aliases.ts'
import { byDomain } from './list-sites.ts'
import { rootDomain } from './root-domain.ts'
import type { Site } from './site.ts'

/**
 * Adds a site to an account; the user becomes its owner.
 * @throws Refusal invalid_input (no domain), conflict (the account has it already; the detail names its id).
 */
export async function addSite(
  { control, clock }: ControlContext,
  { account_id, user_id, domain }: { account_id: string; user_id: string; domain: string },
): Promise<Site> {
  const site: Site = { id: randomUUID(), account_id, root_domain: rootDomain(domain), role: 'owner' }
  await control.transaction(async (trx) => {
    const created_at = clock.now()
    await refuseTakenName(trx, { account_id, root_domain: site.root_domain })
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto('sites')
      .values({ id: site.id, account_id, root_domain: site.root_domain, created_at })
      .onConflict((conflict) => conflict.columns(['account_id', 'root_domain']).doNothing())
      .executeTakeFirst()
    // Another request added it since the first look.
    if (numInsertedOrUpdatedRows !== 1n) await refuseTakenName(trx, { account_id, root_domain: site.root_domain })
    await trx.insertInto('members').values({ site_id: site.id, user_id, role: 'owner', created_at }).execute()
  })
  return site
}

/** Every site of the installation, for its operator, by root_domain, then id. */
export async function listAllSites({ control }: { control: ControlStore }): Promise<SiteRow[]> {
  const sites = await control.db.selectFrom('sites').selectAll().execute()
  return sites.sort(byDomain)
}

export interface RemovedSite {
  id: string
  root_domain: string
  removed_at: number
  /** Keys that died with it, their member having no other site. */
  revoked_key_ids: string[]
}

/**
 * Removes a site of an account and everything of the control store that belongs to it. Its evidence is another store's:
 * the same transaction leaves a mark, found by `findSitesToErase`, until a job has deleted it. Whether the person
 * may is asked before.
 * @throws Refusal site_not_found.
 */
export async function removeSite(
  { control, clock }: ControlContext,
  { account_id, site_id }: { account_id: string; site_id: string },
): Promise<RemovedSite> {
  return control.transaction(async (trx) => {
    const removed_at = clock.now()
    const members = await trx.selectFrom('members').select('user_id').where('site_id', '=', site_id).execute()
    const site = await trx
      .deleteFrom('sites')
      .where((is) => is.and({ id: site_id, account_id }))
      .returning(['id', 'root_domain'])
      .executeTakeFirst()
    if (site === undefined) throw new Refusal('site_not_found', `The account has no site with the id ${site_id}.`)
    await trx.insertInto('removed_sites').values({ site_id, removed_at, evidence_deleted_at: null }).execute()
    const user_ids = members.map((member) => member.user_id)
    return { ...site, removed_at, revoked_key_ids: await revokeOrphanedKeys(trx, user_ids, removed_at) }
  })
}
