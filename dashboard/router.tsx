import { createRouter } from '@tanstack/react-router'
import { signInRoute } from './pages/sign-in/route.ts'
import { welcomeRoute } from './pages/welcome/route.ts'
import { createQueries } from './read/queries.ts'
import { parseSearch, searchText } from './read/search.ts'
import { brandAccountPages, brandPages } from './routes/brand.ts'
import { crawlerPages, overallPages } from './routes/crawlers.ts'
import { rootRoute, signedInRoute, siteRoute, startRoute } from './routes/root.tsx'
import { visitorPages } from './routes/visitors.ts'
import { NotFound, PageError } from './states/page-error.tsx'

export const queries = createQueries()

const routeTree = rootRoute.addChildren([
  signInRoute,
  welcomeRoute,
  signedInRoute.addChildren([
    startRoute,
    ...overallPages,
    ...brandPages,
    ...brandAccountPages,
    siteRoute.addChildren([...crawlerPages, ...visitorPages]),
  ]),
])

export const router = createRouter({
  routeTree,
  context: { queries },
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  defaultErrorComponent: PageError,
  defaultNotFoundComponent: () => <NotFound />,
  scrollRestoration: true,
  parseSearch,
  stringifySearch: searchText,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
