import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { type BrandSearch, brandSearchOf, commonInput, given, URL_SOURCES } from '../../read/brand-search.ts'
import { readQuery } from '../../read/queries.ts'
import { brandRoute } from '../../routes/brand-root.tsx'

export const URLS_A_PAGE = 50

export const urlsInput = (brand: string, search: BrandSearch) => ({
  ...commonInput(brand, search),
  limit: URLS_A_PAGE,
  ...given({
    dimension: search.dimension,
    source: search.source as (typeof URL_SOURCES)[number] | undefined,
    page: search.page,
    offset: search.offset === undefined ? undefined : Number(search.offset),
  }),
})

/** Queries belong to one page. Without a page, nothing is requested. */
export const needsPage = (search: BrandSearch) => search.dimension === 'query' && search.page === undefined

export const urlsRoute = createRoute({
  getParentRoute: () => brandRoute,
  path: 'urls',
  validateSearch: brandSearchOf(
    [
      ...(['from', 'to', 'engines', 'country', 'question_id'] as const),
      ...(['dimension', 'source', 'page', 'offset'] as const),
    ],
    { source: URL_SOURCES },
  ),
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queries }, params: { brand }, deps }) => {
    if (!needsPage(deps)) void queries.prefetchQuery(readQuery('getUrlReport', urlsInput(brand, deps)))
  },
  component: lazyRouteComponent(() => import('./page.tsx'), 'UrlsPage'),
})
