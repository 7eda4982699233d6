import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readQuery } from '../../read/queries.ts'
import { filterOf, searchOf } from '../../read/search.ts'
import { siteRoute } from '../../routes/root.tsx'
import { GROUPS, TOP_PAGES } from './parts.ts'

export const performanceRoute = createRoute({
  getParentRoute: () => siteRoute,
  path: 'performance',
  validateSearch: searchOf({ groups: GROUPS }),
  loaderDeps: ({ search }) => filterOf(search),
  // Started together with the page's own code, and not waited for: the page shows each state itself.
  loader: ({ context: { queries }, params: { site }, deps: { window, purposes } }) => {
    const input = { site, window, purpose: [...purposes] }
    void queries.prefetchQuery(readQuery('getPerformance', input))
    void queries.prefetchQuery(readQuery('getCrawlers', input))
    void queries.prefetchQuery(readQuery('getTopPages', { ...input, limit: TOP_PAGES }))
    void queries.prefetchQuery(readQuery('getCoverage', { site, window }))
    void queries.prefetchQuery(readQuery('getRegistryFacts', {}))
  },
  component: lazyRouteComponent(() => import('./page.tsx'), 'PerformancePage'),
})
