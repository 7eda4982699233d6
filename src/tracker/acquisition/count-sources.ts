/** Counts sessions by origin, from builds and from facts. */
import { cacheable } from '#derived/build-row-cache.ts'
import type { Row } from '#evidence/sql.ts'
import type { EvidenceStore, StatementLimits } from '#evidence/store.ts'
import { isEmptyScope, splitScope, type TrackerScope } from '../scope.ts'
import { DIMENSIONS, sourceCounts, sourceSums } from './sources.sql.ts'

type Dimension = (typeof DIMENSIONS)[number]
type SourceSum = Row<ReturnType<typeof sourceSums>>
type SourceCount = Row<ReturnType<typeof sourceCounts>>

/** The counts of one dimension: rows with the most sessions first, and the totals of all rows. */
export interface SourceList {
  rows: { identity: string; sessions: number; pageviews: number }[]
  total_rows: number
  total_sessions: number
  total_pageviews: number
}

export type SourceLists = Record<Dimension, SourceList>

/** The most distinct origins that are labelled. The channel of other sessions is unknown, and the answer says so. */
const MAX_ORIGINS = 20_000

const noRows = (): SourceList => ({ rows: [], total_rows: 0, total_sessions: 0, total_pageviews: 0 })

export const noSources = (): SourceLists => ({
  origin: noRows(),
  utm_source: noRows(),
  utm_medium: noRows(),
  utm_campaign: noRows(),
  utm_term: noRows(),
  utm_content: noRows(),
})

/**
 * Reads builds and facts with two concurrent statements, which takes half the time, and the rows of builds can be
 * cached. If one of them has too many rows, a single statement over both finds those with the most sessions. `values`:
 * the most rows of a UTM dimension.
 */
export async function countSources(
  evidence: EvidenceStore,
  scope: TrackerScope,
  { values, ...limits }: StatementLimits & { values: number },
): Promise<SourceLists> {
  const { closed, open } = splitScope(scope)
  const statements = [
    ...(isEmptyScope(closed) ? [] : [cacheable(sourceSums(closed, MAX_ORIGINS + 1))]),
    ...(isEmptyScope(open) ? [] : [sourceSums(open, MAX_ORIGINS + 1)]),
  ]
  const sums = await Promise.all(statements.map((statement) => evidence.all(statement, limits)))
  if (sums.every(isWhole)) return addUp(sums.flat(), values)
  return listRows(await evidence.all(sourceCounts(scope, { origins: MAX_ORIGINS, values }), limits))
}

function isWhole(sums: readonly SourceSum[]): boolean {
  const by_dimension = Map.groupBy(sums, ({ dimension }) => dimension)
  return [...by_dimension.values()].every((rows) => rows.length <= MAX_ORIGINS)
}

/** The lists of one statement's rows, in their order. */
function listRows(found: readonly SourceCount[]): SourceLists {
  const lists = noSources()
  for (const { dimension, identity, sessions, pageviews, ...totals } of found) {
    const list = Object.assign(lists[dimension], totals)
    list.rows.push({ identity, sessions, pageviews })
  }
  return lists
}

/** Adds up the rows of parts that have all rows. */
function addUp(found: readonly SourceSum[], values: number): SourceLists {
  const lists = noSources()
  const sums = new Map(DIMENSIONS.map((dimension) => [dimension, new Map<string, SourceList['rows'][number]>()]))
  for (const { dimension, identity, sessions, pageviews } of found) {
    const list = lists[dimension]
    list.total_sessions += sessions
    list.total_pageviews += pageviews
    const sum = sums.get(dimension)?.get(identity)
    if (sum === undefined) sums.get(dimension)?.set(identity, { identity, sessions, pageviews })
    else {
      sum.sessions += sessions
      sum.pageviews += pageviews
    }
  }
  for (const [dimension, sum] of sums) {
    const rows = [...sum.values()].sort((a, b) => b.sessions - a.sessions || compareAsEngine(a.identity, b.identity))
    lists[dimension].total_rows = rows.length
    lists[dimension].rows = dimension === 'origin' ? rows.slice(0, MAX_ORIGINS) : rows.slice(0, values)
  }
  return lists
}

const SURROGATE = /[\ud800-\udfff]/

/** Compares UTF-8 bytes, as the engine does; `<` compares UTF-16, which differs beyond U+FFFF. */
function compareAsEngine(a: string, b: string): number {
  if (SURROGATE.test(a) || SURROGATE.test(b)) return Buffer.compare(Buffer.from(a), Buffer.from(b))
  return a < b ? -1 : 1
}
