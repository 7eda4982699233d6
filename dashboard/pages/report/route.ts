import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { type BrandSearch, brandSearchOf, commonInput, given, truthOf } from '../../read/brand-search.ts'
import { readQuery } from '../../read/queries.ts'
import { brandRoute } from '../../routes/brand-root.tsx'

export const reportInput = (brand: string, search: BrandSearch) => ({
  ...commonInput(brand, search),
  ...given({ interval: intervalOf(search), compare: search.compare, branded: truthOf(search.branded) }),
})

const DAY_MS = 86_400_000
const DEFAULT_DAYS = 30
const MAX_BY_DAY = 14
const MAX_DAILY_DEFAULT = 31

/**
 * From 15 days on, the dashboard shows weeks, although the service answers with days up to 31: a single day rarely has
 * the ten answers that a line needs. Undefined: the service's own interval.
 */
export function intervalOf({ interval, from, to }: BrandSearch): BrandSearch['interval'] {
  if (interval !== undefined) return interval
  const days = from === undefined || to === undefined ? DEFAULT_DAYS : (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
  return days > MAX_BY_DAY && days <= MAX_DAILY_DEFAULT ? 'week' : undefined
}

export const reportRoute = createRoute({
  getParentRoute: () => brandRoute,
  path: 'report',
  validateSearch: brandSearchOf([
    ...(['from', 'to', 'engines', 'country', 'question_id'] as const),
    ...(['branded', 'interval', 'compare'] as const),
  ]),
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queries }, params: { brand }, deps }) => {
    void queries.prefetchQuery(readQuery('getBrandReport', reportInput(brand, deps)))
    void queries.prefetchQuery(readQuery('getPlan', {}))
  },
  component: lazyRouteComponent(() => import('./page.tsx'), 'BrandReportPage'),
})
