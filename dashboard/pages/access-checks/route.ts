import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { searchOf } from '../../read/search.ts'
import { siteRoute } from '../../routes/root.tsx'

export const accessChecksRoute = createRoute({
  getParentRoute: () => siteRoute,
  path: 'access-checks',
  validateSearch: searchOf({ sorts: ['crawler', 'decision'], further: ['url'] }),
  component: lazyRouteComponent(() => import('./page.tsx'), 'AccessCheckPage'),
})
