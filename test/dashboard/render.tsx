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
import type { ReadId, ReadInput, ReadOutput } from '../../dashboard/read/operations.ts'
import { createQueries } from '../../dashboard/read/queries.ts'
import { Refusal } from '../../dashboard/read/refusal.ts'

export const SITE = '00000000-0000-4000-8000-000000000001'

/** What a read holds: an answer, or the refusal that it met. */
type Read = readonly [id: ReadId, input: object, held: object]

export const answered = <Id extends ReadId>(id: Id, input: ReadInput<Id>, output: ReadOutput<Id>): Read => [
  id,
  input as object,
  output as object,
]

export const refused = <Id extends ReadId>(
  id: Id,
  input: ReadInput<Id>,
  status: number,
  body: object | null = null,
): Read => [id, input as object, new Refusal({ status, request_id: null, body })]

/** Answers of a signed-in person with this role on the site. */
export const session = (role: 'owner' | 'editor' | 'viewer' = 'owner'): Read => [
  'getSession',
  {},
  { sites: [{ id: SITE, root_domain: 'example.com', role }], brands: [], user: {}, as_of: '2026-11-21T08:14:00.000Z' },
]

interface RenderOptions {
  /** Below the site, with its search: `funnels?window=7d`. */
  at?: string
  reads?: readonly Read[]
}

/** The markup of an element on a page of the site. */
export async function render(element: ReactNode, { at = 'overview', reads = [] }: RenderOptions = {}): Promise<string> {
  const queries = createQueries()
  const { queries: defaults = {} } = queries.getDefaultOptions()
  queries.setDefaultOptions({ queries: { ...defaults, retryOnMount: false, refetchOnMount: false } })
  for (const [id, input, held] of [session(), ...reads]) {
    const query = queries.getQueryCache().build(queries, { queryKey: [id, input], queryFn: () => Promise.reject() })
    if (held instanceof Refusal) query.setState({ status: 'error', error: held, fetchStatus: 'idle' })
    else query.setData(held as never)
  }
  const root = createRootRoute({ component: Outlet })
  const site = createRoute({ getParentRoute: () => root, path: 'sites/$site', component: Outlet })
  const page = createRoute({ getParentRoute: () => site, path: '$', component: () => element })
  const funnel = createRoute({ getParentRoute: () => site, path: 'funnels/$funnel', component: () => element })
  const conversion = createRoute({
    getParentRoute: () => site,
    path: 'conversions/$conversion',
    component: () => element,
  })
  const router = createRouter({
    routeTree: root.addChildren([site.addChildren([page, funnel, conversion])]),
    history: createMemoryHistory({ initialEntries: [`/sites/${SITE}/${at}`] }),
  })
  await router.load()
  return renderToStaticMarkup(
    <QueryClientProvider client={queries}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
}

/** What a person reads of it: no markup, no titles. */
export const textOf = (markup: string): string =>
  markup
    .replace(/<(title|style)[^>]*>.*?<\/\1>/gs, ' ')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replace(/\s+/g, ' ')
