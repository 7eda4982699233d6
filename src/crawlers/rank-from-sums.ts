/** Ranks the pages with the most requests by cached sums of the closed days and of the others (ADR 46). */
import { createHash } from 'node:crypto'
import { readSplit, type SplitRead } from './cached-counts.ts'
import type { SiteContext } from './context.ts'
import { type PageSums, type RankedPage, rankSums, type TopPageName } from './page-sums.ts'
import type { CrawlerScope } from './scope.sql.ts'
import { namesOfTopPages } from './top-pages.sql.ts'

/** With more pages, one statement counts and ranks them, because their sums would take too much memory here. */
export const MAX_PAGES = 250_000
/** The most pages that are named at once. If more of them tie, one statement ranks them. */
const MAX_TIES = 1_000

export interface NamedPages<S extends PageSums> {
  /** Every page that has as many requests as the last of the first `limit`, in no order. */
  pages: (RankedPage & TopPageName)[]
  total_pages: number
  total_requests: number
  hidden: ReadonlyMap<number, number>
  /** The sums by which they are ranked. */
  parts: readonly S[]
}

/** Ranks and names pages; null if there are too many, or too many of them tie. `sums` reads null for too many. */
export async function rankFromSums<S extends PageSums>(
  ctx: SiteContext,
  scope: CrawlerScope,
  limit: number,
  sums: SplitRead<S | null>,
): Promise<NamedPages<S> | null> {
  const { answers } = ctx.derived
  const tooMany = `too many ${sums.name} of ${scope.site_id}`
  if (answers.get(tooMany) !== undefined) return null
  const read = await readSplit(ctx, scope, sums)
  const parts = read.filter((part) => part !== null)
  if (parts.length < read.length) answers.set(tooMany, true, tooMany.length)
  const ranked = parts.length < read.length ? null : rankSums(parts, limit, MAX_TIES)
  if (ranked === null) return null
  const ids = ranked.pages.map(({ page_id }) => page_id)
  const nameOf = await findNames(ctx, scope, ids)
  const pages = ranked.pages.flatMap((page) => {
    const name = nameOf.get(page.page_id)
    return name === undefined ? [] : [{ ...name, ...page }]
  })
  return { ...ranked, pages, parts }
}

/**
 * Names of these pages by id. Each is cached separately, so that the cache counts its text, and until pages are
 * written, because these may bring a page with the same path that was not redacted. On servers other processes write
 * pages, so names are cached until facts are written. While pages or facts are being written, names are read.
 */
async function findNames(
  { evidence, derived: { answers } }: SiteContext,
  { site_id, builds, facts_version }: CrawlerScope,
  ids: readonly string[],
): Promise<Map<string, TopPageName>> {
  const version = evidence.has_own_parts ? evidence.versionOf('pages') : facts_version
  const dependencies = evidence.has_own_parts ? [site_id, version] : [site_id, builds, version]
  const of = createHash('sha256').update(JSON.stringify(dependencies)).digest('base64')
  const names = new Map<string, TopPageName>()
  for (const id of ids) {
    const name = version === null ? undefined : answers.get<TopPageName>(`page ${of} ${id}`)
    if (name !== undefined) names.set(id, name)
  }
  const unknown = ids.filter((id) => !names.has(id))
  const found = unknown.length === 0 ? [] : await evidence.all(namesOfTopPages(site_id, unknown))
  const is_current = !evidence.has_own_parts || evidence.versionOf('pages') === version
  for (const name of found) {
    names.set(name.page_id, name)
    const bytes = BYTES_A_NAME + name.host.length + name.path.length
    if (version !== null && is_current) answers.set(`page ${of} ${name.page_id}`, name, bytes)
  }
  return names
}

/** The size of a name without host and path: the entry, its key and its fields. */
const BYTES_A_NAME = 300
