/** Renders parts of the dashboard as the browser first draws them, with answers that are already read. */
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
import type { ChangeId, Changes, Session } from '../../dashboard/read/operations.ts'
import { createQueries } from '../../dashboard/read/queries.ts'
import { Refusal } from '../../dashboard/read/refusal.ts'
import { parseSearch, searchText } from '../../dashboard/read/search.ts'

export const SITE = '00000000-0000-4000-8000-000000000001'
export const BRAND = '00000000-0000-4000-8000-00000000000b'

/** What a read holds: an answer, or the refusal that it met. A read that is left out is still under way. */
export type Held = readonly [id: ChangeId, input: object, held: object]

export const answered = <Id extends ChangeId>(
  id: Id,
  input: Changes[Id]['input'],
  output: Changes[Id]['output'],
): Held => [id, input as object, output as object]

export const refused = <Id extends ChangeId>(
  id: Id,
  input: Changes[Id]['input'],
  status: number,
  body: object | null = null,
): Held => [id, input as object, new Refusal({ status, request_id: null, body })]

/** A signed-in person with this role on the site, whose account has a brand. */
export const session = (change: Partial<Session> = {}, role: Session['sites'][number]['role'] = 'owner'): Held => [
  'getSession',
  {},
  {
    user: { id: SITE, email: 'me@example.org', account_role: role === 'owner' ? 'admin' : 'member' },
    installation_role: 'operator',
    account: { id: SITE, name: 'Main account', status: 'active', access: 'subscription', access_ends_at: null },
    sites: [{ id: SITE, root_domain: 'example.com', role }],
    aliases: [],
    brands: [{ id: BRAND, name: 'Example', site_id: SITE }],
    confirmed_until: null,
    time_zone: 'UTC',
    as_of: '2026-11-21T08:14:00.000Z',
    is_clock_simulated: false,
    public_url: null,
    version: '0.1.0',
    theme: 'system',
    ...change,
  },
]

interface RenderOptions {
  /** The address with its search. */
  at?: string
  reads?: readonly Held[]
}

/** The markup of an element at an address. */
export async function render(
  element: ReactNode,
  { at = `/sites/${SITE}/overview`, reads = [] }: RenderOptions = {},
): Promise<string> {
  const queries = createQueries()
  const { queries: defaults = {} } = queries.getDefaultOptions()
  queries.setDefaultOptions({ queries: { ...defaults, retryOnMount: false, refetchOnMount: false } })
  for (const [id, input, held] of [session(), ...reads]) {
    const query = queries.getQueryCache().build(queries, { queryKey: [id, input], queryFn: () => Promise.reject() })
    if (held instanceof Error) query.setState({ status: 'error', error: held, fetchStatus: 'idle' })
    else query.setData(held as never)
  }
  const root = createRootRoute({ component: Outlet })
  const pages = PATHS.map((path) => createRoute({ getParentRoute: () => root, path, component: () => element }))
  const router = createRouter({
    routeTree: root.addChildren(pages),
    history: createMemoryHistory({ initialEntries: [at] }),
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

/** What names the parameters that parts of pages read. */
const PATHS = [
  '/sites/$site/$',
  '/sites/$site/funnels/$funnel',
  '/sites/$site/conversions/$conversion',
  '/brands/$brand/$',
  '/$',
]

/** As `render`, at an address below the site: `funnels?window=7d`. */
export const renderOnSite = (element: ReactNode, { at = 'overview', ...options }: RenderOptions = {}) =>
  render(element, { ...options, at: `/sites/${SITE}/${at}` })

/** As `render`, at an address below the brand: `report?compare=previous`. */
export const renderOnBrand = (element: ReactNode, { at = 'report', ...options }: RenderOptions = {}) =>
  render(element, { ...options, at: `/brands/${BRAND}/${at}` })

/** What a person reads of it, in one line: no markup, no titles. */
export const textOf = (markup: string): string =>
  markup
    .replace(/<(title|style|script)\b[^>]*>.*?<\/\1>/gs, ' ')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .trim()
