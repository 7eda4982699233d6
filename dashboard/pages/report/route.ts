import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { type BrandSearch, brandSearchOf, commonInput, given, truthOf } from '../../read/brand-search.ts'
import { readQuery } from '../../read/queries.ts'
import { brandRoute } from '../../routes/brand-root.tsx'

export const reportInput = (brand: string, search: BrandSearch) => ({
  ...commonInput(brand, search),
  ...given({ interval: search.interval, compare: search.compare, branded: truthOf(search.branded) }),
})

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
  component: lazyRouteComponent(() => import('./page.tsx'), 'ReportPage'),
})
