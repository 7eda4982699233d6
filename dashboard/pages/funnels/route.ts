import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { SHORT_WINDOWS, type ShortWindow } from '../../../src/contract/vocabulary.ts'
import { readQuery } from '../../read/queries.ts'
import { filterOf, limitOf, searchOf } from '../../read/search.ts'
import { siteRoute } from '../../routes/root.tsx'

const short = { windows: SHORT_WINDOWS, window_words: 'Funnels cover 3, 7 or 30 days.' }

export const funnelsRoute = createRoute({
  getParentRoute: () => siteRoute,
  path: 'funnels',
  validateSearch: searchOf({ max_limit: 100, ...short, sorts: ['name', 'steps', 'entered', 'completed', 'rate'] }),
  loaderDeps: ({ search }) => ({ ...filterOf(search), ...limitOf(search) }),
  loader: ({ context: { queries }, params: { site }, deps: { purposes: _purposes, ...deps } }) => {
    const window = deps.window as ShortWindow
    void queries.prefetchQuery(readQuery('getAnalyticsFunnels', { site, ...deps, window }))
    void queries.prefetchQuery(readQuery('getTrackerCoverage', { site, window }))
  },
  component: lazyRouteComponent(() => import('./page.tsx'), 'FunnelsPage'),
})

export const newFunnelRoute = createRoute({
  getParentRoute: () => siteRoute,
  path: 'funnels/new',
  validateSearch: searchOf(short),
  component: lazyRouteComponent(() => import('./new-page.tsx'), 'NewFunnelPage'),
})

export const editFunnelRoute = createRoute({
  getParentRoute: () => siteRoute,
  path: 'funnels/$funnel/edit',
  validateSearch: searchOf(short),
  loader: ({ context: { queries }, params: { site, funnel } }) => {
    void queries.prefetchQuery(readQuery('funnel.show', { site, funnel }))
  },
  component: lazyRouteComponent(() => import('./edit-page.tsx'), 'EditFunnelPage'),
})
