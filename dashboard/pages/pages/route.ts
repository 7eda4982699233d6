import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readQuery } from '../../read/queries.ts'
import { filterOf, searchOf } from '../../read/search.ts'
import { siteRoute } from '../../routes/root.tsx'
import { pagesInput } from './input.ts'

export const pagesRoute = createRoute({
  getParentRoute: () => siteRoute,
  path: 'pages',
  validateSearch: searchOf({
    max_limit: 100,
    sorts: ['page', 'pageviews', 'sessions', 'entries', 'exits', 'conversions', 'requests', 'crawlers', 'observed'],
  }),
  loaderDeps: ({ search }) => ({ window: filterOf(search).window, limit: search.limit }),
  loader: ({ context: { queries }, params: { site }, deps }) => {
    void queries.prefetchQuery(readQuery('getAnalyticsPages', pagesInput(site, deps.window, deps.limit)))
    void queries.prefetchQuery(readQuery('getTrackerCoverage', { site, window: deps.window }))
  },
  component: lazyRouteComponent(() => import('./page.tsx'), 'PagesPage'),
})
