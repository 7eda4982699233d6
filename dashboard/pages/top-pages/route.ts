import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readQuery } from '../../read/queries.ts'
import { filterOf, limitOf, searchOf } from '../../read/search.ts'
import { siteRoute } from '../../routes/root.tsx'
import { CLASSES, pagesQuery } from './classes.ts'

export const topPagesRoute = createRoute({
  getParentRoute: () => siteRoute,
  path: 'top-pages',
  validateSearch: searchOf({ groups: CLASSES, sorts: ['page', 'requests', 'crawlers', 'responses'] }),
  loaderDeps: ({ search }) => ({ ...filterOf(search), ...limitOf(search), group: search.group ?? CLASSES[0] }),
  loader: ({ context: { queries }, params: { site }, deps: { window, purposes, group, ...limit } }) => {
    void queries.prefetchQuery(pagesQuery({ site, window, purpose: [...purposes], ...limit }, group))
    void queries.prefetchQuery(readQuery('getCoverage', { site, window }))
  },
  component: lazyRouteComponent(() => import('./page.tsx'), 'TopPagesPage'),
})
