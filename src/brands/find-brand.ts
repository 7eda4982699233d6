/** The brands that a caller may read and change (account API 1). */
import type { Caller } from '#accounts/caller.ts'
import { may, PERMISSIONS } from '#accounts/roles.ts'
import type { SitePermission } from '#contract/permissions.ts'
import type { ControlDb, ControlStore } from '#control/store.ts'
import type { BrandRow } from '#control/tables.ts'
import { quoted } from '#foreign-text.ts'
import { plainName } from '#names.ts'
import { Refusal } from '#refusal.ts'
import type { AliasRule } from './brand-names.ts'

/** A brand as operations find it resolved. */
export interface FoundBrand extends Omit<BrandRow, 'aliases' | 'alias_rules' | 'domains'> {
  aliases: readonly string[]
  alias_rules: readonly AliasRule[]
  domains: readonly string[]
}

/** The permissions of a person of an account on brands. */
type Reader = Exclude<Caller, { kind: 'operator' }>

/**
 * The brand of a path or an option, for which the caller has the permission. Operators name it by id or name, and also
 * find archived brands; other callers name an active brand by id.
 * @throws Refusal not_found, with the same message for a missing brand and for one that the caller may not read;
 *   forbidden for a brand that the caller may read but not change.
 */
export async function findBrand(
  control: ControlStore,
  caller: Caller,
  text: string,
  permission: SitePermission,
): Promise<FoundBrand> {
  if (caller.kind === 'operator') return findAnyBrand(control.db, text)
  const [brand] = await readableBrands(control.db, caller).where('brands.id', '=', text.toLowerCase()).execute()
  if (brand === undefined) throw new Refusal('not_found', 'No active brand with this id is visible here.')
  if (!(await mayOnBrand(control.db, caller, brand, permission))) {
    throw new Refusal(
      'forbidden',
      brand.site_id === null
        ? 'Only admins of the account and people who edit one of its sites may change this brand.'
        : 'This needs the role editor or owner on the site of the brand.',
    )
  }
  return decodeBrand(brand)
}

/**
 * Active brands that a caller may read: those without a site, and those of sites on which their role permits reading.
 */
export function readableBrands(db: ControlDb, { account_id, user_id, site_ids }: Reader) {
  return db
    .selectFrom('brands')
    .selectAll('brands')
    .where('brands.account_id', '=', account_id)
    .where('brands.archived_at', 'is', null)
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb('brands.site_id', 'is', null),
        exists(
          selectFrom('members')
            .select('members.user_id')
            .whereRef('members.site_id', '=', 'brands.site_id')
            .where('members.user_id', '=', user_id)
            .where('members.role', 'in', PERMISSIONS.read)
            // PostgreSQL takes no empty list.
            .$if(site_ids !== null, (query) => query.where('members.site_id', 'in', ['', ...(site_ids ?? [])])),
        ),
      ]),
    )
}

/** The stored form with its lists read. */
export function decodeBrand(row: BrandRow): FoundBrand {
  const { aliases, alias_rules, domains } = row
  return {
    ...row,
    aliases: JSON.parse(aliases),
    alias_rules: JSON.parse(alias_rules),
    domains: JSON.parse(domains),
  }
}

async function mayOnBrand(
  db: ControlDb,
  caller: Reader,
  { site_id, account_id }: BrandRow,
  permission: SitePermission,
): Promise<boolean> {
  if (permission === 'read') return true
  if (site_id === null && 'account_role' in caller && caller.account_role === 'admin') return true
  const members = db
    .selectFrom('members')
    .innerJoin('sites', 'sites.id', 'members.site_id')
    .select('members.role')
    .where((is) => is.and({ 'members.user_id': caller.user_id, 'sites.account_id': account_id }))
  const rows = await (site_id === null ? members : members.where('members.site_id', '=', site_id)).execute()
  return rows.some(({ role }) => may(role, permission))
}

async function findAnyBrand(db: ControlDb, text: string): Promise<FoundBrand> {
  const found = await db
    .selectFrom('brands')
    .selectAll()
    .where((is) => is.or([is('id', '=', text.toLowerCase()), is('name', '=', plainName(text))]))
    .orderBy('created_at')
    .limit(2)
    .execute()
  const [brand, second] = found
  if (brand === undefined) {
    throw new Refusal('not_found', `No brand has the id or name ${quoted(text)}: {next} shows all of them.`, {
      next: { step: 'brand.list' },
    })
  }
  if (second !== undefined) {
    throw new Refusal(
      'conflict',
      `Several brands are called ${quoted(text)}: name one by its id, which {next} shows.`,
      {
        next: { step: 'brand.list' },
      },
    )
  }
  return decodeBrand(brand)
}
