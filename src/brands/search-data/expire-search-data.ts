/** Ends search data with its brand, or after its time (account API 3, storage). */
import { DAY_MS } from '#clock.ts'
import { utcDay } from '#days/utc-day.ts'
import { deleteSearchDataBefore, deleteSearchDataOf, searchDataBrands } from './search-data.sql.ts'
import type { SearchDataContext } from './store-search-rows.ts'

/** Like evidence of crawlers. */
const KEPT_DAYS = 400

/** Deletes the search data of brands that were removed; repeatable. Returns of how many. */
export async function eraseRemovedSearchData({
  control,
  evidence,
}: Pick<SearchDataContext, 'control' | 'evidence'>): Promise<number> {
  const stored = await evidence.all(searchDataBrands)
  const known = new Set((await control.db.selectFrom('brands').select('id').execute()).map(({ id }) => id))
  const removed = stored.filter(({ brand_id }) => !known.has(brand_id))
  if (removed.length === 0) return 0
  const ids = removed.map(({ brand_id }) => brand_id)
  for (const command of deleteSearchDataOf(ids)) await evidence.run(command)
  return removed.length
}

/** Deletes data older than 400 days; its days become gaps first. */
export async function expireSearchData({ control, evidence, clock }: SearchDataContext): Promise<number> {
  const before = utcDay(clock.now() - KEPT_DAYS * DAY_MS)
  const { numDeletedRows } = await control.db
    .deleteFrom('search_days')
    .where('last_day', '<', before)
    .executeTakeFirstOrThrow()
  if (numDeletedRows > 0n) {
    for (const command of deleteSearchDataBefore(before)) await evidence.run(command)
  }
  return Number(numDeletedRows)
}
