import { createRoute, notFound, redirect } from '@tanstack/react-router'
import { NotFound, PageError } from '../states/page-error.tsx'
import { signedInRoute } from './root.tsx'

const NO_SUCH_BRAND = 'There is no such brand, or you may not read it.'

/**
 * Pages about one brand. A name instead of the id redirects to the id. A brand without access looks like a missing one.
 */
export const brandRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: 'brands/$brand',
  errorComponent: PageError,
  notFoundComponent: ({ data }) => <NotFound {...(data === NO_SUCH_BRAND ? { what: data } : {})} />,
  beforeLoad: ({ context, params, location }) => {
    const { brands } = context.session
    if (brands.some(({ id }) => id === params.brand)) return
    const named = brands.find(({ name }) => name.toLowerCase() === params.brand.toLowerCase())
    if (named === undefined) throw notFound({ data: NO_SUCH_BRAND })
    throw redirect({ href: location.href.replace(/^\/brands\/[^/?#]+/, `/brands/${named.id}`), replace: true })
  },
})
