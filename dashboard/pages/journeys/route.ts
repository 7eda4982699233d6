import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { SHORT_WINDOWS, type ShortWindow } from '../../../src/contract/vocabulary.ts'
import { readQuery } from '../../read/queries.ts'
import { filterOf, limitOf, searchOf } from '../../read/search.ts'
import { siteRoute } from '../../routes/root.tsx'

export const journeysRoute = createRoute({
  getParentRoute: () => siteRoute,
  path: 'journeys',
  validateSearch: searchOf({
    max_limit: 100,
    windows: SHORT_WINDOWS,
    window_words: 'Journeys cover 3, 7 or 30 days.',
  }),
  loaderDeps: ({ search }) => ({ ...filterOf(search), ...limitOf(search) }),
  loader: ({ context: { queries }, params: { site }, deps: { purposes: _purposes, ...deps } }) => {
    const window = deps.window as ShortWindow
    void queries.prefetchQuery(readQuery('getAnalyticsJourneys', { site, ...deps, window }))
    void queries.prefetchQuery(readQuery('getTrackerCoverage', { site, window }))
  },
  component: lazyRouteComponent(() => import('./page.tsx'), 'JourneysPage'),
})
