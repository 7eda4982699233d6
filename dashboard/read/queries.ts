import { type Query, QueryCache, QueryClient, queryOptions } from '@tanstack/react-query'
import { read } from './client.ts'
import type { ReadId, ReadInput, ReadOutput } from './operations.ts'
import { isRefusal, Refusal } from './refusal.ts'
import { reportSessionEnded } from './session-ended.ts'

/** How long an answer is not read again. */
export const STALE_MS = 30_000
const TODAY_MS = 60_000
const REBUILDING_MS = 15_000

/** One query per operation and input: the same panel on two pages reads once. */
export const readQuery = <Id extends ReadId>(id: Id, input: ReadInput<Id>) =>
  queryOptions<ReadOutput<Id>, Error>({
    queryKey: [id, input],
    queryFn: ({ signal }) => read(id, input, signal),
    refetchInterval({ state }) {
      if (isRefusal(state.error, 503)) return REBUILDING_MS
      return endsToday(state.data) ? TODAY_MS : false
    },
  })

export const sessionQuery = () => queryOptions({ ...readQuery('getSession', {}), staleTime: 5 * 60_000 })

export function createQueries(): QueryClient {
  const queries = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        if (isRefusal(error, 401) && query.queryKey[0] !== 'getSession') reportSessionEnded()
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: STALE_MS,
        refetchOnWindowFocus: true,
        // A refusal is final; only a request without a response is repeated.
        retry: (failures, error) => error instanceof Refusal && error.status === 0 && failures < 1,
        retryDelay: 500,
        networkMode: 'always',
      },
    },
  })
  keepUnavailable(queries.getQueryCache())
  return queries
}

/** A read that was refused with 503 keeps its refusal while it is repeated; otherwise its panel would flicker. */
function keepUnavailable(cache: QueryCache): void {
  const refusals = new WeakMap<Query, Refusal>()
  cache.subscribe((event) => {
    if (event.type !== 'updated') return
    const { query, action } = event
    if (action.type === 'error' && isRefusal(action.error, 503)) refusals.set(query, action.error)
    else if (action.type === 'error' || action.type === 'success') refusals.delete(query)
    const error = refusals.get(query)
    const is_restarted = action.type === 'fetch' && query.state.status === 'pending'
    if (is_restarted && error !== undefined) query.setState({ status: 'error', error })
  })
}

/** A closed window does not change by itself. The days of the tracker have instant and window without `meta`. */
function endsToday(answer: unknown): boolean {
  if (typeof answer !== 'object' || answer === null) return false
  const { as_of, window } = ('meta' in answer ? answer.meta : answer) as { as_of?: string; window?: { to: string } }
  return as_of !== undefined && as_of.slice(0, 10) === window?.to
}
