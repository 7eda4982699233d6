import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { signedInRoute } from '../../routes/root.tsx'

export const enginesRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: 'settings/engines',
  component: lazyRouteComponent(() => import('./page.tsx'), 'EnginesPage'),
})
