import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { signedInRoute } from '../../routes/root.tsx'

export const sitesRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: 'sites',
  component: lazyRouteComponent(() => import('./page.tsx'), 'SitesPage'),
})
