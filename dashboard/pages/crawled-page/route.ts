import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { PURPOSES } from '../../../src/contract/vocabulary.ts'
import { readQuery } from '../../read/queries.ts'
import { filterOf, searchOf } from '../../read/search.ts'
import { siteRoute } from '../../routes/root.tsx'

export const crawledPageRoute = createRoute({
  getParentRoute: () => siteRoute,
  path: 'top-pages/one',
  validateSearch: searchOf({ sorts: ['name', 'requests'], further: ['host', 'path'] }),
  loaderDeps: ({ search }) => ({ window: filterOf(search).window, host: search.host, path: search.path }),
  loader: ({ context: { queries }, params: { site }, deps: { window, host, path } }) => {
    if (host === undefined || path === undefined) return
    void queries.prefetchQuery(readQuery('getPage', { site, window, host, path }))
    void queries.prefetchQuery(readQuery('getCrawlers', { site, window, purpose: [...PURPOSES] }))
    void queries.prefetchQuery(readQuery('getCoverage', { site, window }))
  },
  component: lazyRouteComponent(() => import('./page.tsx'), 'CrawledPagePage'),
})
