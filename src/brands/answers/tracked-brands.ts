/** The names that a brand's answers are searched for: its own, and its competitors'. */
import { createHash } from 'node:crypto'
import type { ControlDb } from '#control/store.ts'
import { trackedNames } from '../brand-names.ts'
import type { FoundBrand } from '../find-brand.ts'
import type { TrackedBrand } from '../mentions/name-patterns.ts'

export interface TrackedNames {
  /** The brand itself first. */
  brands: TrackedBrand[]
  /** A hash that changes with any name, alias rule or domain. */
  names_sha256: string
}

/**
 * Increased when the search finds other mentions than before, so that every brand is searched again after an update.
 */
const ROWS = 'counted_answers, a page once, plain apostrophes and hyphens, hosts as names'

export async function readTrackedNames(db: ControlDb, { id }: Pick<FoundBrand, 'id'>): Promise<TrackedNames> {
  const columns = ['id', 'name', 'aliases', 'alias_rules', 'domains'] as const
  const own = await db.selectFrom('brands').select(columns).where('id', '=', id).execute()
  const competitors = await db
    .selectFrom('competitors')
    .select(columns)
    .where('brand_id', '=', id)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const brands = [...own, ...competitors].map((row) => ({
    id: row.id,
    names: trackedNames({
      name: row.name,
      aliases: JSON.parse(row.aliases),
      alias_rules: JSON.parse(row.alias_rules),
    }),
    domains: JSON.parse(row.domains) as string[],
  }))
  return {
    brands,
    names_sha256: createHash('sha256')
      .update(JSON.stringify([ROWS, brands]))
      .digest('hex'),
  }
}
