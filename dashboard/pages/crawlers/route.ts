import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readQuery } from '../../read/queries.ts'
import { filterOf, searchOf } from '../../read/search.ts'
import { siteRoute } from '../../routes/root.tsx'

export const crawlersRoute = createRoute({
  getParentRoute: () => siteRoute,
  path: 'crawlers',
  validateSearch: searchOf({ sorts: ['name', 'purpose', 'scope', 'requests', 'errors', 'impostors'] }),
  loaderDeps: ({ search }) => filterOf(search),
  loader: ({ context: { queries }, params: { site }, deps: { window, purposes } }) => {
    const input = { site, window, purpose: [...purposes] }
    void queries.prefetchQuery(readQuery('getCrawlers', input))
    void queries.prefetchQuery(readQuery('getPerformance', input))
    void queries.prefetchQuery(readQuery('getDailyBreakdown', input))
    void queries.prefetchQuery(readQuery('getCoverage', { site, window }))
  },
  component: lazyRouteComponent(() => import('./page.tsx'), 'CrawlersPage'),
})
