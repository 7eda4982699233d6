import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readQuery } from '../../read/queries.ts'
import { searchOf } from '../../read/search.ts'
import { siteRoute } from '../../routes/root.tsx'
import { listInput, TAB_KEYS } from './tabs.ts'

export const issuesRoute = createRoute({
  getParentRoute: () => siteRoute,
  path: 'issues',
  validateSearch: searchOf({ groups: TAB_KEYS, further: ['offset'] }),
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queries }, params: { site }, deps }) => {
    void queries.prefetchQuery(readQuery('listIssues', listInput(site, deps)))
    void queries.prefetchQuery(readQuery('getCoverage', { site, window: '30d' }))
  },
  component: lazyRouteComponent(() => import('./page.tsx'), 'IssuesPage'),
})
