import { instantText } from '#clock.ts'
import type { Brand } from '#contract/account-api/index.ts'
import type { ManagementOutput } from '#contract/management-api/index.ts'
import type { ControlDb } from '#control/store.ts'
import type { CompetitorRow } from '#control/tables.ts'
import type { AliasRule } from './brand-names.ts'
import type { FoundBrand } from './find-brand.ts'

/** A brand as surface B shows it, and the conditions of its aliases. */
export type BrandWithRules = Omit<ManagementOutput<'brand.add'>, 'archived_at'>
type NamedCompetitor = BrandWithRules['competitors'][number]

/** Brands as answers show them, with their competitors, in the order given (account API 2.1). */
export async function describeBrands(db: ControlDb, brands: readonly FoundBrand[]): Promise<Brand[]> {
  const named = await describeNamedBrands(db, brands)
  return named.map(({ alias_rules: _, ...brand }) => ({
    ...brand,
    competitors: brand.competitors.map(({ alias_rules: _rules, ...competitor }) => competitor),
  }))
}

/** The same with the conditions of aliases, which only people see (account API 4). */
export async function describeNamedBrands(db: ControlDb, brands: readonly FoundBrand[]): Promise<BrandWithRules[]> {
  if (brands.length === 0) return []
  const competitors = await db
    .selectFrom('competitors')
    .selectAll()
    .where(
      'brand_id',
      'in',
      brands.map(({ id }) => id),
    )
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return brands.map(({ id, name, aliases, alias_rules, domains, site_id, created_at }) => ({
    id,
    name,
    aliases: [...aliases],
    alias_rules: alias_rules.map(describeRule),
    domains: [...domains],
    site_id,
    competitors: competitors.filter(({ brand_id }) => brand_id === id).map(describeCompetitor),
    created_at: instantText(created_at),
  }))
}

export function describeCompetitor({ id, name, aliases, alias_rules, domains }: CompetitorRow): NamedCompetitor {
  return {
    id,
    name,
    aliases: JSON.parse(aliases),
    domains: JSON.parse(domains),
    alias_rules: JSON.parse(alias_rules),
  }
}

const describeRule = ({ alias, is_exact, company }: AliasRule) => ({
  alias,
  is_exact,
  company: company === null ? null : [...company],
})
