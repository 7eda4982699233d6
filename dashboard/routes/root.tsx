import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, notFound, redirect } from '@tanstack/react-router'
import type { Session } from '../read/operations.ts'
import { sessionQuery } from '../read/queries.ts'
import { isRefusal } from '../read/refusal.ts'
import { Frame } from '../shell/frame.tsx'
import { NotFound, PageError } from '../states/page-error.tsx'
import { NO_SUCH_SITE } from '../words/refusals.ts'

export const rootRoute = createRootRouteWithContext<{ queries: QueryClient }>()({
  notFoundComponent: () => <NotFound />,
})

/** Every page behind sign-in. */
export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'signed-in',
  component: Frame,
  errorComponent: PageError,
  beforeLoad: async ({ context, location }) => {
    try {
      return { session: await context.queries.ensureQueryData(sessionQuery()) }
    } catch (error) {
      if (!isRefusal(error, 401)) throw error
      throw redirect({ to: '/sign-in', search: { next: location.href } } as never)
    }
  },
})

/** The only site, or the list of all. */
export const startRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/',
  beforeLoad: ({ context }) => {
    const [site, ...others] = context.session.sites
    if (site === undefined || others.length > 0) throw redirect({ to: '/sites' } as never)
    throw redirect({ to: '/sites/$site/performance', params: { site: site.id } } as never)
  },
})

/** The site with this domain, or with this alias. */
const siteOfDomain = ({ sites, aliases }: Session, domain: string): string | undefined =>
  sites.find(({ root_domain }) => root_domain === domain)?.id ??
  aliases.find(({ root_domain }) => root_domain === domain)?.site_id

/**
 * Pages about one site. A domain instead of the id redirects to the id. A site without access looks like a missing one.
 */
export const siteRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: 'sites/$site',
  errorComponent: PageError,
  notFoundComponent: ({ data }) => <NotFound {...(data === NO_SUCH_SITE ? { what: data } : {})} />,
  beforeLoad: ({ context, params, location }) => {
    const { sites } = context.session
    if (sites.some(({ id }) => id === params.site)) return
    const id = siteOfDomain(context.session, params.site.toLowerCase())
    if (id === undefined) throw notFound({ data: NO_SUCH_SITE })
    throw redirect({ href: location.href.replace(/^\/sites\/[^/?#]+/, `/sites/${id}`), replace: true })
  },
})
