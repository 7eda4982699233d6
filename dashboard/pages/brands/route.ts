import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { signedInRoute } from '../../routes/root.tsx'

export const brandsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: 'settings/brands',
  component: lazyRouteComponent(() => import('./page.tsx'), 'BrandsPage'),
})
