import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readQuery } from '../../read/queries.ts'
import { filterOf, searchOf } from '../../read/search.ts'
import { siteRoute } from '../../routes/root.tsx'
import { UTM } from './utm.ts'

export const analyticsSourcesRoute = createRoute({
  getParentRoute: () => siteRoute,
  path: 'analytics-sources',
  validateSearch: searchOf({ groups: UTM, sorts: ['host', 'channel', 'sessions', 'pageviews'] }),
  loaderDeps: ({ search }) => filterOf(search),
  loader: ({ context: { queries }, params: { site }, deps: { window } }) => {
    void queries.prefetchQuery(readQuery('getAnalyticsSources', { site, window }))
    void queries.prefetchQuery(readQuery('getTrackerCoverage', { site, window }))
  },
  component: lazyRouteComponent(() => import('./page.tsx'), 'AcquisitionPage'),
})
