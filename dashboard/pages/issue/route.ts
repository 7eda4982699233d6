import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readQuery } from '../../read/queries.ts'
import { filterOf, searchOf } from '../../read/search.ts'
import { siteRoute } from '../../routes/root.tsx'

export const issueRoute = createRoute({
  getParentRoute: () => siteRoute,
  path: 'issues/$issue',
  validateSearch: searchOf(),
  loaderDeps: ({ search }) => ({ window: filterOf(search).window }),
  loader: ({ context: { queries }, params: { site, issue }, deps: { window } }) => {
    void queries.prefetchQuery(readQuery('issue.show', { site, issue }))
    void queries.prefetchQuery(readQuery('getCoverage', { site, window }))
  },
  component: lazyRouteComponent(() => import('./page.tsx'), 'IssuePage'),
})
