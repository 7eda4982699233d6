import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readQuery } from '../../read/queries.ts'
import { filterOf, searchOf } from '../../read/search.ts'
import { siteRoute } from '../../routes/root.tsx'
import { METRICS } from './metrics.ts'

export const overviewRoute = createRoute({
  getParentRoute: () => siteRoute,
  path: 'overview',
  validateSearch: searchOf({ groups: METRICS }),
  loaderDeps: ({ search }) => filterOf(search),
  loader: ({ context: { queries }, params: { site }, deps: { window } }) => {
    void queries.prefetchQuery(readQuery('getAnalyticsOverview', { site, window }))
    void queries.prefetchQuery(readQuery('getTrackerCoverage', { site, window }))
    void queries.prefetchQuery(readQuery('getAnalyticsSources', { site, window }))
    void queries.prefetchQuery(readQuery('getAnalyticsPages', { site, window }))
  },
  component: lazyRouteComponent(() => import('./page.tsx'), 'OverviewPage'),
})
