import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readQuery } from '../../read/queries.ts'
import { signedInRoute } from '../../routes/root.tsx'

export const sitesRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: 'sites',
  loader: ({ context }) => {
    void context.queries.prefetchQuery(readQuery('getSitesOverview', { limit: 50, offset: 0 } as never))
  },
  component: lazyRouteComponent(() => import('./page.tsx'), 'SitesPage'),
})
