/** As render.tsx, for parts of any path, and with any session. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import type { ChangeId, Changes, Session } from '../../dashboard/read/operations.ts'
import type { Refusal } from '../../dashboard/read/refusal.ts'

export const SITE = '11111111-1111-4111-8111-111111111111'

/** What the service answered to one read, or how it refused; a read that is left out is still under way. */
interface Answer<Id extends ChangeId = ChangeId> {
  id: Id
  input: Changes[Id]['input']
  output?: Changes[Id]['output']
  refusal?: Refusal
}
export const answer = <Id extends ChangeId>(
  id: Id,
  input: Changes[Id]['input'],
  output: Changes[Id]['output'],
): Answer => ({ id, input, output }) as unknown as Answer
export const refused = <Id extends ChangeId>(id: Id, input: Changes[Id]['input'], refusal: Refusal): Answer =>
  ({ id, input, refusal }) as unknown as Answer

export function session(change: Partial<Session> = {}, role: Session['sites'][number]['role'] = 'owner'): Answer {
  return answer('getSession', {}, {
    user: { id: SITE, email: 'me@example.org', account_role: 'admin' },
    installation_role: 'operator',
    account: { id: SITE, name: 'Main account', status: 'active', access: 'subscription', access_ends_at: null },
    sites: [{ id: SITE, root_domain: 'example.com', role }],
    brands: [],
    confirmed_until: null,
    time_zone: 'UTC',
    as_of: '2026-11-21T08:14:00Z',
    is_clock_simulated: false,
    public_url: null,
    version: '0.1.0',
    theme: 'system',
    ...change,
  } as Session)
}

interface RenderOptions {
  answers?: readonly Answer[]
  /** The page's path in the router, and the address that is open. */
  path?: string
  at?: string
}

/** The page as HTML. */
export async function render(
  element: ReactNode,
  { answers = [], path = '/sites/$site/part', at = `/sites/${SITE}/part` }: RenderOptions = {},
): Promise<string> {
  const queries = new QueryClient({
    defaultOptions: { queries: { retry: false, retryOnMount: false, staleTime: Number.POSITIVE_INFINITY } },
  })
  for (const { id, input, output, refusal } of answers) {
    if (refusal === undefined) queries.setQueryData([id, input], output)
    else await queries.prefetchQuery({ queryKey: [id, input], queryFn: () => Promise.reject(refusal) })
  }
  const root = createRootRoute()
  const page = createRoute({ getParentRoute: () => root, path, component: () => element })
  const router = createRouter({
    routeTree: root.addChildren([page]),
    history: createMemoryHistory({ initialEntries: [at] }),
  })
  await router.load()
  return renderToString(
    <QueryClientProvider client={queries}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  )
}

/** What a person reads, in one line. */
export const textOf = (html: string): string =>
  html
    .replace(/<!--.*?-->/g, '')
    .replace(/<(style|script|title)\b.*?<\/\1>/gs, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&#x27;/g, '’')
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ')
    .trim()
