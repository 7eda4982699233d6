import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../routes/root.tsx'

/** Opened by a one-time link. Its secret follows the #, so no log contains it. */
export const welcomeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'welcome',
  component: lazyRouteComponent(() => import('./page.tsx'), 'WelcomePage'),
})
