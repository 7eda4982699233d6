import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readQuery } from '../../read/queries.ts'
import { filterOf, searchOf } from '../../read/search.ts'
import { siteRoute } from '../../routes/root.tsx'
import { CLASSES } from './classes.ts'

export const topPagesRoute = createRoute({
  getParentRoute: () => siteRoute,
  path: 'top-pages',
  validateSearch: searchOf({ groups: CLASSES, sorts: ['page', 'requests', 'crawlers', 'responses'] }),
  loaderDeps: ({ search }) => filterOf(search),
  loader: ({ context: { queries }, params: { site }, deps: { window, purposes } }) => {
    void queries.prefetchQuery(readQuery('getTopPages', { site, window, purpose: [...purposes] }))
    void queries.prefetchQuery(readQuery('getCoverage', { site, window }))
  },
  component: lazyRouteComponent(() => import('./page.tsx'), 'TopPagesPage'),
})
