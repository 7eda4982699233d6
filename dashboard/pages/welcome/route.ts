import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../routes/root.tsx'

/** Opened by a one-time link; its secret is behind #, so that it reaches no log. */
export const welcomeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'welcome',
  component: lazyRouteComponent(() => import('./page.tsx'), 'WelcomePage'),
})
