import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readQuery } from '../../read/queries.ts'
import { filterOf, searchOf } from '../../read/search.ts'
import { siteRoute } from '../../routes/root.tsx'

export const trackerRoute = createRoute({
  getParentRoute: () => siteRoute,
  path: 'tracker',
  validateSearch: searchOf(),
  loaderDeps: ({ search }) => filterOf(search),
  loader: ({ context: { queries }, params: { site }, deps: { window } }) => {
    void queries.prefetchQuery(readQuery('getTrackerCoverage', { site, window }))
  },
  component: lazyRouteComponent(() => import('./page.tsx'), 'TrackerSetupPage'),
})
