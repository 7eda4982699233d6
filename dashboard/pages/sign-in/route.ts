import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../../routes/root.tsx'

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: 'sign-in',
  validateSearch: ({ next }: Record<string, unknown>): { next?: string } =>
    typeof next === 'string' && isOwnPath(next) ? { next } : {},
  component: lazyRouteComponent(() => import('./page.tsx'), 'SignInPage'),
})

/** A path of this origin; `//host` would lead to another one. */
export const isOwnPath = (path: string) => /^\/(?![/\\])/.test(path)
