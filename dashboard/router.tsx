import type { QueryClient } from '@tanstack/react-query'
import { createRouter, type RouterHistory } from '@tanstack/react-router'
import { signInRoute } from './pages/sign-in/route.ts'
import { welcomeRoute } from './pages/welcome/route.ts'
import { parseSearch, searchText } from './read/search.ts'
import { brandAccountPages, brandPages } from './routes/brand.ts'
import { crawlerPages, overallPages } from './routes/crawlers.ts'
import { rootRoute, signedInRoute, siteRoute, startRoute } from './routes/root.tsx'
import { accountSettings, siteSettings } from './routes/settings.ts'
import { sourcePages } from './routes/sources.ts'
import { visitorPages } from './routes/visitors.ts'
import { NotFound, PageError } from './states/page-error.tsx'

const routeTree = rootRoute.addChildren([
  signInRoute,
  welcomeRoute,
  signedInRoute.addChildren([
    startRoute,
    ...overallPages,
    ...brandPages,
    ...brandAccountPages,
    ...accountSettings,
    siteRoute.addChildren([...crawlerPages, ...sourcePages, ...visitorPages, ...siteSettings]),
  ]),
])

/** The dashboard at an address: that of the browser, or of `history`, which tests give. */
export const createDashboard = (queries: QueryClient, history?: RouterHistory) =>
  createRouter({
    routeTree,
    context: { queries },
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    defaultErrorComponent: PageError,
    defaultNotFoundComponent: () => <NotFound />,
    // What a page keeps, such as typed text, a result or a new secret, belongs to the site or thing that it was about.
    defaultRemountDeps: ({ params }) => params,
    scrollRestoration: true,
    parseSearch,
    stringifySearch: searchText,
    ...(history === undefined ? {} : { history }),
  })

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createDashboard>
  }
}
