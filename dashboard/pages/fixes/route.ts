import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { type BrandSearch, brandSearchOf, FIX_STATUSES, given } from '../../read/brand-search.ts'
import { readQuery } from '../../read/queries.ts'
import { brandRoute } from '../../routes/brand-root.tsx'

export const FIXES_A_PAGE = 20
const DEFAULT_STATUS = 'open'

export const fixesInput = (brand: string, search: BrandSearch) => ({
  brandId: brand,
  status: (search.status ?? DEFAULT_STATUS) as (typeof FIX_STATUSES)[number],
  limit: FIXES_A_PAGE,
  ...given({ offset: search.offset === undefined ? undefined : Number(search.offset) }),
})

export const fixesRoute = createRoute({
  getParentRoute: () => brandRoute,
  path: 'fixes',
  validateSearch: brandSearchOf(['status', 'offset'], { status: FIX_STATUSES }),
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queries }, params: { brand }, deps }) => {
    void queries.prefetchQuery(readQuery('listFixes', fixesInput(brand, deps)))
  },
  component: lazyRouteComponent(() => import('./page.tsx'), 'FixesPage'),
})
