import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../routes/root.tsx'

/** Opened by a one-time link. Its secret is behind #, so that it is in no log. */
export const welcomeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'welcome',
  component: lazyRouteComponent(() => import('./page.tsx'), 'WelcomePage'),
})
