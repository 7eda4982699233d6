import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { readQuery } from '../../read/queries.ts'
import { type Search, searchOf } from '../../read/search.ts'
import { signedInRoute } from '../../routes/root.tsx'

export const SITES_A_PAGE = 50

export interface SitesSearch extends Search {
  offset?: string
}

/** The input for an address; an invalid offset reads from the start. */
export function sitesInput({ q, offset }: SitesSearch) {
  const from = Number(offset)
  return {
    limit: SITES_A_PAGE,
    offset: Number.isSafeInteger(from) && from > 0 ? from : 0,
    ...(q === undefined ? {} : { q }),
  }
}

export const sitesRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: 'sites',
  validateSearch: searchOf({ further: ['offset'] }),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => {
    void context.queries.prefetchQuery(readQuery('getSitesOverview', sitesInput(deps) as never))
  },
  component: lazyRouteComponent(() => import('./page.tsx'), 'SitesPage'),
})
