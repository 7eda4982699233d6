import { instantText } from '#clock.ts'
import type { ControlContext } from '#control/context.ts'
import type { IpListVersionRow } from '#control/tables.ts'
import { dayStart, utcDay } from '#days/utc-day.ts'
import { Refusal } from '#refusal.ts'
import type { Registry } from '../../registry/classify.ts'
import { listCode } from '../proof-facts.ts'
import { PROXY_LISTS } from '../proxy-networks.ts'
import { isInForce } from './list-versions.ts'
import { namedLists } from './load-lists.ts'

export interface ListSummary {
  /** The URL by which the registry names it. */
  id: string
  /** Short form of the id, also in commands. */
  code: string
  /** The crawlers that the list proves; empty for the networks of a CDN. */
  crawlers: string[]
  /** `never`: never loaded. `stale`: not confirmed for 7 days, not in force. `whole_as`: proves nothing. */
  state: 'in_force' | 'stale' | 'never' | 'whole_as'
  versions: number
  prefixes: number | null
  sha256: string | null
  published_at: string | null
  loaded_at: string | null
  confirmed_at: string | null
  /** Why the last attempt to load it failed; null if it succeeded. */
  failure: string | null
}

interface ListContext extends ControlContext {
  registries: { current(): Promise<Registry> }
}

/** Every list that the registry in force names, with its stored content. */
export async function describeLists(ctx: ListContext): Promise<ListSummary[]> {
  const registry = await ctx.registries.current()
  const { db } = ctx.control
  const versions = Map.groupBy(
    await db.selectFrom('ip_list_versions').selectAll().orderBy('loaded_at', 'desc').execute(),
    (row) => row.list_id,
  )
  const today = dayStart(utcDay(ctx.clock.now()))
  const loads = new Map(
    (await db.selectFrom('ip_list_loads').selectAll().execute()).map((row) => [row.list_id, row.failure]),
  )
  return namedLists(registry).map((id) => {
    const held = versions.get(id) ?? []
    const newest = held.find((row) => row.superseded_at === null)
    return {
      id,
      code: listCode(id),
      crawlers: registry.entries
        .filter((entry) => entry.verification.ip_ranges_url === id)
        .map((entry) => entry.crawler_id),
      state: stateOf(newest, today),
      versions: held.length,
      prefixes: newest === undefined ? null : newest.prefixes.split('\n').length,
      sha256: newest?.sha256 ?? null,
      published_at: textOf(newest?.published_at),
      loaded_at: textOf(newest?.loaded_at),
      confirmed_at: textOf(newest?.confirmed_at),
      failure: loads.get(id) ?? null,
    }
  })
}

function stateOf(newest: IpListVersionRow | undefined, today: number): ListSummary['state'] {
  if (newest === undefined) return 'never'
  if (newest.is_whole_as === 1) return 'whole_as'
  return isInForce(newest, today) ? 'in_force' : 'stale'
}

/** The list with this URL, code, or crawler. @throws Refusal not_found: none or several. */
export function findList(registry: Registry, text: string): string {
  const named = namedLists(registry)
  const entry = registry.entry(text.toLowerCase())
  const found = named.find((id) => id === text || listCode(id) === text) ?? entry?.verification.ip_ranges_url
  if (found !== undefined && found !== null) return found
  const why =
    entry === undefined
      ? `the registry in force names no list ${text}`
      : `the vendor of ${entry.crawler_id} publishes no list of addresses`
  throw new Refusal('not_found', `${why}: {next} shows the lists that can be loaded`, {
    next: { step: 'registry.lists.list' },
  })
}

export const isProxyList = (id: string): boolean => (PROXY_LISTS as readonly string[]).includes(id)

const textOf = (instant: number | null | undefined) =>
  instant === null || instant === undefined ? null : instantText(instant)
