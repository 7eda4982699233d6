import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readQuery } from '../../read/queries.ts'
import { brandRoute } from '../../routes/brand-root.tsx'

export const brandSettingsRoute = createRoute({
  getParentRoute: () => brandRoute,
  path: 'settings',
  loader: ({ context: { queries }, params: { brand } }) => {
    void queries.prefetchQuery(readQuery('getBrand', { brandId: brand }))
    void queries.prefetchQuery(readQuery('scan.list', { brand, limit: 10 }))
    void queries.prefetchQuery(readQuery('search_data.list', { brand }))
  },
  component: lazyRouteComponent(() => import('./page.tsx'), 'BrandSettingsPage'),
})
