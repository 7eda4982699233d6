/** The brands that a caller may read, as surface B lists them (account API 2.1). */

import type { Caller } from '#accounts/caller.ts'
import { instantText } from '#clock.ts'
import type { Brand, BrandList, BrandListInput } from '#contract/account-api/index.ts'
import type { ControlContext } from '#control/context.ts'
import type { ControlStore } from '#control/store.ts'
import { describeBrands, describeNamedBrands } from './describe-brand.ts'
import { decodeBrand, type FoundBrand, readableBrands } from './find-brand.ts'
import { listEnvelope } from './list-envelope.ts'

interface BrandsContext extends ControlContext {
  caller: Caller
}

/** Active brands, by name. */
export async function readBrands({ control, clock, caller }: BrandsContext, input: BrandListInput): Promise<BrandList> {
  if (caller.kind === 'operator') throw new Error('operators list brands by their own operation')
  const { limit, offset, ignored_parameters } = input
  return control.snapshot(async (trx) => {
    const rows = await readableBrands(trx, caller).orderBy('brands.name').orderBy('brands.id').execute()
    const brands = await describeBrands(trx, rows.slice(offset, offset + limit).map(decodeBrand))
    return {
      meta: { as_of: instantText(clock.now()), filters: {}, ignored_parameters },
      brands,
      ...listEnvelope({ limit, offset, returned_count: brands.length, total_count: rows.length }),
    }
  })
}

/** One brand, which the caller may read. */
export async function readBrand({ control, brand }: { control: ControlStore; brand: FoundBrand }): Promise<Brand> {
  const [described] = await describeBrands(control.db, [brand])
  if (described === undefined) throw new Error('a brand that was found is described')
  return described
}

/** The conditions of aliases of the brand and its competitors. */
export async function readAliasRules({ control, brand }: { control: ControlStore; brand: FoundBrand }) {
  const [named] = await describeNamedBrands(control.db, [brand])
  if (named === undefined) throw new Error('a brand that was found is described')
  const { id, alias_rules, competitors } = named
  return { id, alias_rules, competitors: competitors.map((each) => ({ id: each.id, alias_rules: each.alias_rules })) }
}
