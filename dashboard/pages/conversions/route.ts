import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readQuery } from '../../read/queries.ts'
import { filterOf, limitOf, searchOf } from '../../read/search.ts'
import { siteRoute } from '../../routes/root.tsx'

export const conversionsRoute = createRoute({
  getParentRoute: () => siteRoute,
  path: 'conversions',
  validateSearch: searchOf({ max_limit: 100, sorts: ['name', 'sessions', 'events', 'rate'] }),
  loaderDeps: ({ search }) => ({ ...filterOf(search), ...limitOf(search) }),
  loader: ({ context: { queries }, params: { site }, deps: { window, purposes: _purposes, ...limit } }) => {
    void queries.prefetchQuery(readQuery('getAnalyticsConversions', { site, window, ...limit }))
    void queries.prefetchQuery(readQuery('getTrackerCoverage', { site, window }))
  },
  component: lazyRouteComponent(() => import('./page.tsx'), 'ConversionsPage'),
})

export const newConversionRoute = createRoute({
  getParentRoute: () => siteRoute,
  path: 'conversions/new',
  validateSearch: searchOf(),
  component: lazyRouteComponent(() => import('./new-page.tsx'), 'NewConversionPage'),
})

export const propertiesRoute = createRoute({
  getParentRoute: () => siteRoute,
  path: 'conversions/properties',
  validateSearch: searchOf(),
  loader: ({ context: { queries }, params: { site } }) => {
    void queries.prefetchQuery(readQuery('property.list', { site }))
  },
  component: lazyRouteComponent(() => import('./properties-page.tsx'), 'PropertiesPage'),
})

export const conversionRoute = createRoute({
  getParentRoute: () => siteRoute,
  path: 'conversions/$conversion',
  validateSearch: searchOf(),
  loaderDeps: ({ search }) => filterOf(search),
  loader: ({ context: { queries }, params: { site }, deps: { window } }) => {
    void queries.prefetchQuery(readQuery('getAnalyticsConversions', { site, window }))
    void queries.prefetchQuery(readQuery('getTrackerCoverage', { site, window }))
  },
  component: lazyRouteComponent(() => import('./one-page.tsx'), 'ConversionPage'),
})
