/** Loads the lists that the registry names from their vendors. A list that fails keeps its stored content. */

import { DAY_MS, HOUR_MS } from '#clock.ts'
import type { ControlContext } from '#control/context.ts'
import type { Registry } from '../../registry/classify.ts'
import { listCode } from '../proof-facts.ts'
import { PROXY_LISTS } from '../proxy-networks.ts'
import { MAX_LIST_BYTES, readList } from './read-list.ts'
import { noteAttempt, type StoredList, storeListVersion } from './store-list-version.ts'

/** Fetches a document, with redirects, within these bounds. @throws if there is no response. */
export type FetchList = (
  url: string,
  bounds: { max_bytes: number; timeout_ms: number; signal?: AbortSignal },
) => Promise<{ status: number; body: Uint8Array }>

export interface LoadContext extends ControlContext {
  registries: { current(): Promise<Registry> }
}

export type Loaded = StoredList | { list_id: string; failure: string }

const AT_ONCE = 4
const TIMEOUT_MS = 30_000
/** A list that failed is loaded again after this time. */
const RETRY_MS = HOUR_MS

/** Every list of the registry and of proxy networks, once. */
export function namedLists(registry: Registry): string[] {
  const urls = registry.entries.flatMap(({ verification }) => verification.ip_ranges_url ?? [])
  return [...new Set([...urls, ...PROXY_LISTS])].sort()
}

/** Loads every named list now. Callers must not do so under a simulated clock. */
export async function loadLists(ctx: LoadContext, fetchList: FetchList, signal?: AbortSignal): Promise<Loaded[]> {
  return loadAll(ctx, namedLists(await ctx.registries.current()), fetchList, signal)
}

/** Loads the lists that are a day old, each at its own time, to spread the load. Run it every few minutes. */
export async function loadDueLists(ctx: LoadContext, fetchList: FetchList, signal?: AbortSignal): Promise<Loaded[]> {
  const now = ctx.clock.now()
  const rows = await ctx.control.db.selectFrom('ip_list_loads').selectAll().execute()
  const last = new Map(rows.map((row) => [row.list_id, row]))
  const due = namedLists(await ctx.registries.current()).filter((list_id) => {
    const load = last.get(list_id)
    if (load === undefined) return true
    return now - load.attempted_at >= (load.failure === null ? DAY_MS - jitter(list_id) : RETRY_MS)
  })
  return loadAll(ctx, due, fetchList, signal)
}

/** Milliseconds up to two hours, always the same for a list. */
function jitter(list_id: string): number {
  return (Number.parseInt(listCode(list_id).slice(0, 4), 16) / 0xffff) * 2 * HOUR_MS
}

async function loadAll(
  ctx: LoadContext,
  list_ids: readonly string[],
  fetchList: FetchList,
  signal?: AbortSignal,
): Promise<Loaded[]> {
  const waiting = [...list_ids]
  const loaded: Loaded[] = []
  const loader = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      signal?.throwIfAborted()
      loaded.push(await loadOne(ctx, next, fetchList, signal))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, loader))
  return loaded.sort((a, b) => (a.list_id < b.list_id ? -1 : 1))
}

async function loadOne(ctx: LoadContext, list_id: string, fetchList: FetchList, signal?: AbortSignal): Promise<Loaded> {
  try {
    const bounds = { max_bytes: MAX_LIST_BYTES, timeout_ms: TIMEOUT_MS, ...(signal === undefined ? {} : { signal }) }
    const { status, body } = await fetchList(list_id, bounds)
    if (status !== 200) throw new Error(`the server answered with status ${status}`)
    return await storeListVersion(ctx, list_id, readList(body))
  } catch (error) {
    // An abort is not a failure of the list.
    signal?.throwIfAborted()
    const failure = (error instanceof Error ? error.message : String(error)).slice(0, 300)
    await noteAttempt(ctx.control.db, list_id, ctx.clock.now(), failure)
    return { list_id, failure }
  }
}
