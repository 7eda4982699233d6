import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readQuery } from '../../read/queries.ts'
import { filterOf, searchOf } from '../../read/search.ts'
import { siteRoute } from '../../routes/root.tsx'

export const sourcesRoute = createRoute({
  getParentRoute: () => siteRoute,
  path: 'sources',
  validateSearch: searchOf(),
  loaderDeps: ({ search }) => filterOf(search),
  loader: ({ context: { queries }, params: { site }, deps: { window } }) => {
    void queries.prefetchQuery(readQuery('getSources', { site }))
    void queries.prefetchQuery(readQuery('source.list', { site }))
    void queries.prefetchQuery(readQuery('getCoverage', { site, window }))
    void queries.prefetchQuery(readQuery('getReceipts', { site }))
  },
  component: lazyRouteComponent(() => import('./page.tsx'), 'SourcesPage'),
})
