import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { PURPOSES } from '../../../src/contract/vocabulary.ts'
import { readQuery } from '../../read/queries.ts'
import { filterOf, searchOf } from '../../read/search.ts'
import { siteRoute } from '../../routes/root.tsx'

export const crawlerRoute = createRoute({
  getParentRoute: () => siteRoute,
  path: 'crawlers/$crawler',
  validateSearch: searchOf({ sorts: ['page', 'requests', 'errors'] }),
  loaderDeps: ({ search }) => ({ window: filterOf(search).window }),
  loader: ({ context: { queries }, params: { site, crawler }, deps: { window } }) => {
    void queries.prefetchQuery(readQuery('getCrawler', { site, crawler_id: crawler, window }))
    void queries.prefetchQuery(
      readQuery('getDailyBreakdown', { site, crawler_id: crawler, window, purpose: [...PURPOSES] }),
    )
    void queries.prefetchQuery(readQuery('getCoverage', { site, window }))
    void queries.prefetchQuery(readQuery('getRegistryFacts', { crawler_id: crawler }))
  },
  component: lazyRouteComponent(() => import('./page.tsx'), 'CrawlerPage'),
})
