import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readQuery } from '../../read/queries.ts'
import { siteRoute } from '../../routes/root.tsx'

export const sourceRoute = createRoute({
  getParentRoute: () => siteRoute,
  path: 'sources/$source',
  loader: ({ context: { queries }, params: { site } }) => {
    void queries.prefetchQuery(readQuery('getSources', { site }))
    void queries.prefetchQuery(readQuery('source.list', { site }))
  },
  component: lazyRouteComponent(() => import('./page.tsx'), 'SourcePage'),
})
