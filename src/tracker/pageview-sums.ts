/**
 * Ranks pages by pageviews from sums of every page. The sums of builds are cached, and only the days that are read from
 * facts are counted for each answer (ADR 21).
 */
import { compareBytes } from '#compare-text.ts'
import { bytesOfHex, indexOfPage, type PageSums, rankSums, sizeOf } from '#crawlers/page-sums.ts'
import { readDecoded } from '#derived/build-row-cache.ts'
import type { ValueCache } from '#derived/value-cache.ts'
import type { Row } from '#evidence/sql.ts'
import type { EvidenceStore, StatementLimits } from '#evidence/store.ts'
import { type ConvertedPlan, planForBuilds, planForOpenDays } from './conversions/converted.ts'
import { namesOfVisitedPages, type pageviewCounts, pageviewSums } from './pages.sql.ts'
import { isEmptyScope, splitScope, type TrackerScope } from './scope.ts'

type PageCount = Row<ReturnType<typeof pageviewCounts>>
type PageName = Row<ReturnType<typeof namesOfVisitedPages>>

/** `requests` are pageviews, and `observed` are entries; all lists are in the order of the ids. */
interface PageviewSums extends PageSums {
  sessions: Float64Array
  exits: Float64Array
  converted: Float64Array
  total_entries: number
}

export interface PageviewInput {
  scope: TrackerScope
  converted: ConvertedPlan | null
  /** The number of pages of the answer. */
  limit: number
  /** A text that changes whenever the name of a page may have changed. */
  names_version: Promise<string>
  /** With more pages, no sums are cached. 100,000 by default. */
  max_pages?: number
}

interface Context {
  evidence: EvidenceStore
  derived: { answers: ValueCache }
}

/** 4.8 MB of sums, and twice as much text while they are decoded. */
const MAX_PAGES = 100_000
/** The most pages with equally many pageviews whose names are read here. More are ranked by `pageviewCounts`. */
const MAX_TIES = 1_000

/**
 * The rows that `pageviewCounts` would return. Null if no day is read from builds, if there are too many pages, or if
 * too many have equally many pageviews; then the caller runs that statement.
 */
export async function pagesFromSums(
  ctx: Context,
  input: PageviewInput,
  limits: StatementLimits,
): Promise<PageCount[] | null> {
  const { scope, limit, max_pages = MAX_PAGES } = input
  const { closed, open } = splitScope(scope)
  if (isEmptyScope(closed)) return null
  const plan = input.converted
  const sumsOf = (part: TrackerScope, of: ConvertedPlan | null) => {
    const statement = pageviewSums(part, of, max_pages)
    return { statement, read: async () => decode(await ctx.evidence.all(statement, limits)) }
  }
  const stored = sumsOf(closed, plan && planForBuilds(plan))
  const cached = readDecoded(ctx.derived.answers, stored.statement, { read: stored.read, bytesOf: sizeOfSums })
  const read = await Promise.all([
    cached,
    ...(isEmptyScope(open) ? [] : [sumsOf(open, plan && planForOpenDays(plan)).read()]),
  ])
  const parts = read.filter((part) => part !== null)
  const ranked = parts.length < read.length ? null : rankSums(parts, limit, MAX_TIES)
  if (ranked === null) return null
  const names = await findNames(
    ctx,
    input,
    limits,
    ranked.pages.map(({ page_id }) => page_id),
  )
  const totals = {
    total_pages: ranked.total_pages,
    total_pageviews: ranked.total_requests,
    total_entries: sum(parts, ({ total_entries }) => total_entries),
  }
  const pages = ranked.pages.flatMap(({ page_id, requests: pageviews, observed: entries }) => {
    const name = names.get(page_id)
    if (name === undefined) return []
    const found = parts.map((part) => ({ part, place: indexOfPage(part, page_id) })).filter(({ place }) => place !== -1)
    const total = (column: 'sessions' | 'exits' | 'converted') =>
      sum(found, ({ part, place }) => part[column][place] as number)
    const counts = {
      pageviews,
      entries,
      sessions: total('sessions'),
      exits: total('exits'),
      converted: total('converted'),
    }
    return [{ ...name, ...counts, ...totals }]
  })
  return pages.sort(inOrder).slice(0, limit)
}

function decode([row]: readonly Row<ReturnType<typeof pageviewSums>>[]): PageviewSums | null {
  if (row === undefined || (row.pages > 0 && row.ids === '')) return null
  const numbers = (hex: string) => new Float64Array(bytesOfHex(hex))
  return {
    ids: new Uint32Array(bytesOfHex(row.ids)),
    requests: numbers(row.page_pageviews),
    observed: numbers(row.page_entries),
    sessions: numbers(row.page_sessions),
    exits: numbers(row.page_exits),
    converted: numbers(row.page_converted),
    total_requests: row.pageviews,
    total_entries: row.entries,
    marks: new Uint8Array(0),
    mark_bytes: 0,
    crawlers: [],
    hidden: new Map(),
  }
}

const sizeOfSums = (sums: PageviewSums | null): number =>
  BYTES_A_ROW + (sums === null ? 0 : sizeOf(sums) + 3 * sums.sessions.byteLength)

/**
 * The names of pages by id, cached by page. Host and path of an id never change, but its fidelity may, so the key has
 * the version of the names.
 */
async function findNames(
  { evidence, derived: { answers } }: Context,
  { scope: { site_id }, names_version }: PageviewInput,
  limits: StatementLimits,
  ids: readonly string[],
): Promise<Map<string, PageName>> {
  const version = await names_version
  const keyOf = (id: string) => `visited page ${site_id} ${version} ${id}`
  const names = new Map<string, PageName>()
  for (const id of ids) {
    const name = answers.get<PageName>(keyOf(id))
    if (name !== undefined) names.set(id, name)
  }
  const unknown = ids.filter((id) => !names.has(id))
  for (const name of unknown.length === 0 ? [] : await evidence.all(namesOfVisitedPages(site_id, unknown), limits)) {
    names.set(name.page_id, name)
    answers.set(keyOf(name.page_id), name, BYTES_A_ROW + name.hostname.length + name.path.length)
  }
  return names
}

const BYTES_A_ROW = 300

const sum = <T>(of: readonly T[], value: (one: T) => number): number => of.reduce((all, one) => all + value(one), 0)

const inOrder = (a: PageCount, b: PageCount): number =>
  b.pageviews - a.pageviews || compareBytes(a.hostname, b.hostname) || compareBytes(a.path, b.path)
