import type { ExpressionBuilder } from 'kysely'
import type { Viewer } from '#accounts/caller.ts'
import { may } from '#accounts/roles.ts'
import type { SitePermission } from '#contract/permissions.ts'
import type { ControlDb, ControlStore } from '#control/store.ts'
import type { ControlTables } from '#control/tables.ts'
import { quoted } from '#foreign-text.ts'
import { Refusal } from '#refusal.ts'
import { rootDomain } from './root-domain.ts'
import type { Site } from './site.ts'

/**
 * The site that a path or an option names, by uuid in any case or by root domain in any spelling that `rootDomain`
 * accepts. A foreign site, a missing one and one on which the role permits less are the same refusal in the same words
 * (decisions 2).
 * @throws Refusal site_not_found.
 */
export async function findVisibleSite(
  { control }: { control: ControlStore },
  viewer: Viewer,
  text: string,
  permission: SitePermission = 'read',
): Promise<Site> {
  const address = readAddress(text)
  if (address === null || viewer.site_ids?.length === 0) throw notVisible()
  const found = await visibleSites(control.db, viewer)
    .where((is) => named(is, address))
    .limit(2)
    .execute()
  const site = onlyOne(found, notVisible())
  if (!may(site.role, permission)) throw notVisible()
  return site
}

/** As `findVisibleSite`, for the operator: any site, with an owner's role, member or not (rules 7). */
export async function findAnySite({ control }: { control: ControlStore }, text: string): Promise<Site> {
  const address = readAddress(text)
  const missing = noSuchSite(text, address)
  if (address === null) throw missing
  const found = await control.db
    .selectFrom('sites')
    .select(['sites.id', 'sites.account_id', 'sites.root_domain'])
    .where((is) => named(is, address))
    .limit(2)
    .execute()
  return { ...onlyOne(found, missing), role: 'owner' }
}

/** The one statement of what a viewer sees: sites of the member, and of the named ones where the key is restricted. */
export function visibleSites(db: ControlDb, { user_id, site_ids }: Viewer) {
  const own = db
    .selectFrom('sites')
    .innerJoin('members', 'members.site_id', 'sites.id')
    .select(['sites.id', 'sites.account_id', 'sites.root_domain', 'members.role'])
    .where('members.user_id', '=', user_id)
  return site_ids === null ? own : own.where('sites.id', 'in', site_ids)
}

function onlyOne<S>([site, second]: S[], missing: Refusal): S {
  if (site === undefined) throw missing
  if (second !== undefined) throw new Refusal('site_not_found', AMBIGUOUS)
  return site
}

/** By id, by domain, or by a former domain that was kept as an alias (rules 1). */
function named(is: ExpressionBuilder<ControlTables, 'sites'>, { by, value }: Address) {
  if (by === 'id') return is('sites.id', '=', value)
  const aliased = is.selectFrom('site_aliases').select('site_id').where('site_aliases.root_domain', '=', value)
  return is.or([is('sites.root_domain', '=', value), is('sites.id', 'in', aliased)])
}

interface Address {
  by: 'id' | 'root_domain'
  value: string
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
// The words hold nothing of the request, so that no difference can distinguish a foreign site from a missing one.
const notVisible = () =>
  new Refusal(
    'site_not_found',
    'No site with this id or domain is visible here. Give the id of a site in your list of sites, or its root domain.',
  )
/** A domain may be one that was not added yet. */
function noSuchSite(text: string, address: Address | null): Refusal {
  const what = `No site has the id or domain ${quoted(text)}`
  return address?.by === 'root_domain'
    ? new Refusal('site_not_found', `${what}: {next}.`, {
        next: { step: 'find_or_add_site', root_domain: address.value },
      })
    : new Refusal('site_not_found', `${what}: {next} shows all of them.`, { next: { step: 'site.list' } })
}
const AMBIGUOUS = 'Several visible sites have this domain: address it by id.'

function readAddress(text: string): Address | null {
  if (UUID.test(text)) return { by: 'id', value: text.toLowerCase() }
  try {
    return { by: 'root_domain', value: rootDomain(text) }
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}
