import { instantText } from '#clock.ts'
import type { Brand } from '#contract/account-api/index.ts'
import type { ControlDb } from '#control/store.ts'
import type { CompetitorRow } from '#control/tables.ts'
import type { FoundBrand } from './find-brand.ts'

/** Brands as answers show them, with their competitors, in the order given (account API 2.1). */
export async function describeBrands(db: ControlDb, brands: readonly FoundBrand[]): Promise<Brand[]> {
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
  return brands.map(({ id, name, aliases, domains, site_id, created_at }) => ({
    ...{ id, name, aliases: [...aliases], domains: [...domains], site_id },
    competitors: competitors.filter(({ brand_id }) => brand_id === id).map(describeCompetitor),
    created_at: instantText(created_at),
  }))
}

export function describeCompetitor({ id, name, aliases, domains }: CompetitorRow): Brand['competitors'][number] {
  return { id, name, aliases: JSON.parse(aliases), domains: JSON.parse(domains) }
}
