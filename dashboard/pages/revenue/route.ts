import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { SHORT_WINDOWS, type ShortWindow } from '../../../src/contract/vocabulary.ts'
import { readQuery } from '../../read/queries.ts'
import { filterOf, searchOf } from '../../read/search.ts'
import { siteRoute } from '../../routes/root.tsx'

export const revenueRoute = createRoute({
  getParentRoute: () => siteRoute,
  path: 'revenue',
  validateSearch: searchOf({ windows: SHORT_WINDOWS, window_words: 'Revenue covers 3, 7 or 30 days.' }),
  loaderDeps: ({ search }) => filterOf(search),
  loader: ({ context: { queries }, params: { site }, deps }) => {
    const window = deps.window as ShortWindow
    void queries.prefetchQuery(readQuery('getAnalyticsRevenue', { site, window }))
    void queries.prefetchQuery(readQuery('getTrackerCoverage', { site, window }))
  },
  component: lazyRouteComponent(() => import('./page.tsx'), 'RevenuePage'),
})
