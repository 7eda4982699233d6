import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { siteRoute } from '../../routes/root.tsx'

export const sourceNewRoute = createRoute({
  getParentRoute: () => siteRoute,
  path: 'sources/new',
  component: lazyRouteComponent(() => import('./page.tsx'), 'SourceNewPage'),
})
