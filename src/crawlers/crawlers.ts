import type { Crawler, Crawlers, CrawlersInput } from '#contract/site-api/index.ts'
import { IDENTITIES, PURPOSES, type Purpose } from '#contract/vocabulary.ts'
import type { Row } from '#evidence/sql.ts'
import { readRows } from './cached-counts.ts'
import type { SiteContext } from './context.ts'
import { withReading } from './coverage/fall-back-to-roll-ups.ts'
import type { CrawlerReading } from './coverage/meta.ts'
import { crawlerCounts } from './crawlers.sql.ts'
import { addressListOf, readHeldLists } from './identity/lists/held-lists.ts'
import type { Registry } from './registry/classify.ts'
import { isEmpty } from './scope.sql.ts'

type Count = Row<ReturnType<typeof crawlerCounts>>

/** The crawlers with requests in the window, most requests first (spec 2.5 Crawlers). */
export async function readCrawlers(ctx: SiteContext, input: CrawlersInput): Promise<Crawlers> {
  return withReading(ctx, input, (reading) => countCrawlers(ctx, reading))
}

async function countCrawlers(ctx: SiteContext, { meta, scope }: CrawlerReading): Promise<Crawlers> {
  if (isEmpty(scope) || scope.registry_version === null) return { meta, crawlers: [], hidden_by_purpose_filter: [] }
  const registry = await ctx.registries.open(scope.registry_version)
  const held = await readHeldLists(ctx)
  const all = await readRows(ctx, scope, 'crawlers', crawlerCounts)
  const counts = all.filter((row) => scope.purposes.includes(row.purpose))
  const total = sum(counts)
  const crawlers = [...Map.groupBy(counts, (row) => row.crawler_id).values()].map((rows) =>
    foldCrawler(registry, held, rows, total),
  )
  crawlers.sort((a, b) => b.observed_request_count - a.observed_request_count || (a.crawler_id < b.crawler_id ? -1 : 1))
  return { meta, crawlers, hidden_by_purpose_filter: hidden(all, scope.purposes) }
}

/** Requests that the filter hides, by purpose; only observed ones (rules 2). */
function hidden(counts: readonly Count[], shown: readonly Purpose[]) {
  return PURPOSES.filter((purpose) => !shown.includes(purpose))
    .map((purpose) => ({ purpose, observed_request_count: sum(counts.filter((row) => row.purpose === purpose)) }))
    .filter((row) => row.observed_request_count > 0)
}

/** Folds the identities of a crawler into one row, whose identity is the weakest of them (spec 1.5). */
function foldCrawler(registry: Registry, held: ReadonlySet<string>, counts: readonly Count[], total: number): Crawler {
  const [first] = counts as [Count, ...Count[]]
  const entry = registry.entry(first.crawler_id)
  const requests = sum(counts)
  const identities = Object.fromEntries(
    IDENTITIES.map((identity) => [identity, sum(counts.filter((row) => row.identity === identity))]),
  ) as Crawler['identities']
  return {
    crawler_id: first.crawler_id,
    platform: entry?.platform ?? null,
    display_name: entry?.display_name ?? null,
    purpose: first.purpose,
    identity: IDENTITIES.find((identity) => identities[identity] > 0) ?? 'unknown',
    observed_request_count: requests,
    observed_share: requests / total,
    scope: first.scope,
    identities,
    impostor_request_count: identities.unknown,
    also_declared: entry === undefined ? [] : entry.also_declared.map((declared) => declared.use),
    address_list: entry === undefined ? 'not_published' : addressListOf(entry, held),
  }
}

function sum(counts: readonly Count[]): number {
  return counts.reduce((total, row) => total + row.requests, 0)
}
