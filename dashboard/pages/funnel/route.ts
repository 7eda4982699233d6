import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { SHORT_WINDOWS, type ShortWindow } from '../../../src/contract/vocabulary.ts'
import { readQuery } from '../../read/queries.ts'
import { filterOf, RefusedSearch, searchOf } from '../../read/search.ts'
import { siteRoute } from '../../routes/root.tsx'
import { funnelInput } from './input.ts'

const known = searchOf({
  windows: SHORT_WINDOWS,
  window_words: 'Funnels cover 3, 7 or 30 days.',
  further: ['revision'],
})

export const funnelRoute = createRoute({
  getParentRoute: () => siteRoute,
  path: 'funnels/$funnel',
  validateSearch: (given: Record<string, unknown>) => {
    const search = known(given)
    const { revision } = search
    if (revision === undefined || /^[1-9]\d{0,8}$/.test(revision)) return search
    throw new RefusedSearch('revision', revision, 'a whole number from 1')
  },
  loaderDeps: ({ search }) => ({ window: filterOf(search).window as ShortWindow, revision: search.revision }),
  loader: ({ context: { queries }, params: { site, funnel }, deps: { window, revision } }) => {
    void queries.prefetchQuery(readQuery('getAnalyticsFunnel', funnelInput(site, funnel, window, revision)))
    void queries.prefetchQuery(readQuery('funnel.show', { site, funnel }))
    void queries.prefetchQuery(readQuery('getTrackerCoverage', { site, window }))
  },
  component: lazyRouteComponent(() => import('./page.tsx'), 'FunnelPage'),
})
