/** Settings of one site, and those of the account and the installation. */
import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { signedInRoute, siteRoute } from './root.tsx'

/** The parts of a site's settings, in the order of their tabs. */
const sitePart = <const Path extends string>(path: Path, load: Parameters<typeof lazyRouteComponent>[0]) =>
  createRoute({ getParentRoute: () => siteRoute, path: `settings/${path}`, component: lazyRouteComponent(load) })
const accountPart = <const Path extends string>(path: Path, load: Parameters<typeof lazyRouteComponent>[0]) =>
  createRoute({ getParentRoute: () => signedInRoute, path: `settings/${path}`, component: lazyRouteComponent(load) })

const siteSettingsRoute = createRoute({
  getParentRoute: () => siteRoute,
  path: 'settings',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/sites/$site/settings/members', params, replace: true } as never)
  },
})
const accountSettingsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: 'settings',
  beforeLoad: () => {
    throw redirect({ to: '/settings/profile', replace: true } as never)
  },
})

export const siteSettings = [
  siteSettingsRoute,
  sitePart('members', () => import('../pages/settings/members.tsx')),
  sitePart('keys', () => import('../pages/settings/keys.tsx')),
  sitePart('gates', () => import('../pages/settings/gates.tsx')),
  sitePart('retention', () => import('../pages/settings/retention.tsx')),
  sitePart('alerts', () => import('../pages/settings/alerts.tsx')),
  sitePart('data', () => import('../pages/settings/data.tsx')),
]
export const accountSettings = [
  accountSettingsRoute,
  accountPart('profile', () => import('../pages/account/profile.tsx')),
  accountPart('tokens', () => import('../pages/account/tokens.tsx')),
  accountPart('people', () => import('../pages/account/people.tsx')),
  accountPart('registry', () => import('../pages/account/registry.tsx')),
]
