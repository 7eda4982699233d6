/** Renders parts of brand pages as the browser first draws them, with answers that are already read. */
import { QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { ReadId } from '../../dashboard/read/operations.ts'
import { createQueries } from '../../dashboard/read/queries.ts'
import { parseSearch, searchText } from '../../dashboard/read/search.ts'
import type { Role } from '../../src/contract/vocabulary.ts'

export const BRAND = '00000000-0000-4000-8000-00000000000b'
export const SITE = '00000000-0000-4000-8000-000000000001'

/** What a read holds: an answer, or the error that it met. */
export type Held = readonly [id: ReadId, input: object, held: object]

const session = (role: Role): Held => [
  'getSession',
  {},
  {
    user: { account_role: role === 'owner' ? 'admin' : 'member' },
    sites: [{ id: SITE, root_domain: 'example.com', role }],
    brands: [{ id: BRAND, name: 'Example', site_id: SITE }],
    as_of: '2026-11-21T08:14:00.000Z',
  },
]

interface RenderOptions {
  /** Below the brand, with its search: `report?compare=previous`. */
  at?: string
  role?: Role
  reads?: readonly Held[]
}

/** The markup of an element on a page of the brand. */
export async function render(
  element: ReactNode,
  { at = 'report', role = 'owner', reads = [] }: RenderOptions = {},
): Promise<string> {
  const queries = createQueries()
  queries.setDefaultOptions({ queries: { retryOnMount: false, refetchOnMount: false } })
  for (const [id, input, held] of [session(role), ...reads]) {
    const query = queries.getQueryCache().build(queries, { queryKey: [id, input], queryFn: () => Promise.reject() })
    if (held instanceof Error) query.setState({ status: 'error', error: held, fetchStatus: 'idle' })
    else query.setData(held as never)
  }
  const root = createRootRoute({ component: Outlet })
  const brand = createRoute({ getParentRoute: () => root, path: 'brands/$brand', component: Outlet })
  const page = createRoute({ getParentRoute: () => brand, path: '$', component: () => element })
  const router = createRouter({
    routeTree: root.addChildren([brand.addChildren([page])]),
    history: createMemoryHistory({ initialEntries: [`/brands/${BRAND}/${at}`] }),
    parseSearch,
    stringifySearch: searchText,
  })
  await router.load()
  return renderToStaticMarkup(
    <QueryClientProvider client={queries}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
}

/** What a person reads of it: no markup, no titles of marks. */
export const textOf = (markup: string): string =>
  markup
    .replace(/<(title|style)[^>]*>.*?<\/\1>/gs, ' ')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&amp;', '&')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replace(/\s+/g, ' ')
