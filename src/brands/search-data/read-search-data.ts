/** What search engines report of a brand's pages and of the queries that show them (account API 2, URL report). */
import { DAY_MS } from '#clock.ts'
import type { AiReportKind, AiReportSource, SearchDataState, SearchSource } from '#contract/vocabulary.ts'
import type { ControlDb } from '#control/store.ts'
import { dayStart, utcDay } from '#days/utc-day.ts'
import { type DayRange, dayRanges, eachDay } from '#days/windows.ts'
import type { EvidenceStore } from '#evidence/store.ts'
import { aiReports, countSearchNames, type SearchRowSet, searchSums } from './search-data.sql.ts'
import type { OfBrand } from './store-search-rows.ts'

export interface SearchQuestion extends DayRange {
  source: SearchSource
  /** The page whose queries are asked for; null: the pages. */
  page: string | null
  limit: number
  offset: number
}

export interface AiReport {
  kind: AiReportKind
  source: AiReportSource
  from: string
  to: string
  citations: number | null
  impressions: number | null
}

export interface SearchSumRow {
  /** The page, or the query. */
  name: string
  clicks: number
  impressions: number
  /** Weighted by impressions; `value` is null where no row has a position. */
  average_position: { value: number | null; n: number }
  /** Days that have a row of it; null: the report gives sums of a period or points of weeks. */
  days: number | null
  ai: AiReport[]
}

/** What the rows are of, and what is missing. */
export interface SearchDataMeta {
  state: SearchDataState
  source: SearchSource
  property: string | null
  search_type: 'web'
  /** The dimensions that the rows are grouped by in the report. */
  grouping: 'page' | 'page,query' | null
  /** The time zone of the source's days. */
  day_zone: 'America/Los_Angeles'
  gaps: DayRange[]
  weekly: boolean
}

export interface SearchAnswer {
  rows: SearchSumRow[]
  total_count: number
  meta: SearchDataMeta
}

/** Data of one source, one property and one set of rows. Numbers of different ones are never added. */
export async function readSearchData(
  { db, evidence }: { db: ControlDb; evidence: EvidenceStore },
  brand: OfBrand,
  { source, page, limit, offset, ...range }: SearchQuestion,
): Promise<SearchAnswer> {
  const dimensions = page === null ? ('page' as const) : ('page,query' as const)
  const covered = await coveredDays(db, brand, source, dimensions)
  const property = chooseProperty(covered.map((each) => each.property))
  const connected = await db
    .selectFrom('search_connections')
    .select('property')
    .where('brand_id', '=', brand.id)
    .where('source', '=', source)
    .where('state', '!=', 'disconnected')
    .execute()
  const fixed = { source, search_type: 'web', day_zone: 'America/Los_Angeles' } as const
  if (property === null) {
    const state = connected.length > 0 ? 'connected' : 'none'
    const known = { property: chooseProperty(connected.map((each) => each.property)), grouping: null }
    return { rows: [], total_count: 0, meta: { ...fixed, state, ...known, gaps: [range], weekly: false } }
  }
  const of_property = covered.filter((each) => each.property === property)
  const { periods, is_mixed } = choosePeriods(of_property, range)
  const state = connected.some((each) => each.property === property) ? 'connected' : 'imported'
  const meta: SearchDataMeta = {
    ...fixed,
    state,
    property,
    grouping: dimensions,
    gaps: gapsOf(periods, range),
    weekly: periods.some(({ is_weekly }) => is_weekly === 1),
  }
  const asked = periods[0]
  if (asked === undefined) return { rows: [], total_count: 0, meta }
  const set: SearchRowSet = { source, property, search_type: 'web', dimensions }
  const span = {
    ...(asked.day === asked.last_day ? range : { from: asked.day, to: asked.last_day }),
    is_daily: asked.day === asked.last_day,
    ...(is_mixed ? { only: periods.map(({ day }) => day) } : {}),
  }
  const one = { by: page === null ? ('page' as const) : ('query' as const), page: page === null ? null : formsOf(page) }
  const is_daily = span.is_daily && !meta.weekly
  const [sums, total] = await Promise.all([
    evidence.all(searchSums(brand, set, span, { ...one, limit, offset })),
    evidence.all(countSearchNames(brand, set, span, one)),
  ])
  const ai =
    page === null
      ? await readAiReports(
          evidence,
          brand,
          range,
          sums.map(({ name }) => name),
        )
      : new Map()
  return {
    meta,
    total_count: countOf(total),
    rows: sums.map(({ name, clicks, impressions, position_weight, position_sum, days }) => ({
      name,
      clicks,
      impressions,
      days: is_daily ? days : null,
      ai: ai.get(name) ?? [],
      average_position: { value: position_weight === 0 ? null : position_sum / position_weight, n: position_weight },
    })),
  }
}

/** An aggregate without groups always has one row. */
function countOf(found: readonly { names: number }[]): number {
  const [row] = found
  if (row === undefined) throw new Error('a count has one row')
  return row.names
}

type CoveredDay = Awaited<ReturnType<typeof coveredDays>>[number]

const coveredDays = (db: ControlDb, brand: OfBrand, source: SearchSource, dimensions: string) =>
  db
    .selectFrom('search_days')
    .select(['property', 'day', 'last_day', 'is_weekly', 'stored_at'])
    .where('brand_id', '=', brand.id)
    .where('source', '=', source)
    .where('search_type', '=', 'web')
    .where('dimensions', '=', dimensions)
    .orderBy('day')
    .execute()

/** The property of the whole domain, else the first by name. */
function chooseProperty(properties: readonly string[]): string | null {
  const sorted = [...new Set(properties)].sort()
  return sorted.find((each) => each.startsWith('sc-domain:')) ?? sorted[0] ?? null
}

const DAYS_OF_WEEK = 7

/**
 * The days of the range, or the points of its weeks, whichever cover more of it: a point counts days that may have
 * figures of their own (`is_mixed`). If there are neither, the newest sum of a period inside it.
 */
function choosePeriods(
  covered: readonly CoveredDay[],
  { from, to }: DayRange,
): { periods: CoveredDay[]; is_mixed: boolean } {
  const inside = covered.filter(({ day, last_day }) => day >= from && last_day <= to)
  const points = inside.filter(({ day, last_day }) => day === last_day)
  const weeks = points.filter(({ is_weekly }) => is_weekly === 1)
  const days = points.filter(({ is_weekly }) => is_weekly === 0)
  if (points.length > 0) {
    const periods = weeks.length * DAYS_OF_WEEK > days.length ? weeks : days
    return { periods, is_mixed: periods.length < points.length }
  }
  const [newest] = inside.toSorted((a, b) => b.stored_at - a.stored_at || (a.day < b.day ? 1 : -1))
  return { periods: newest === undefined ? [] : [newest], is_mixed: false }
}

/** Days without data, in order; `periods` are in the order of their days. */
function gapsOf(periods: readonly CoveredDay[], range: DayRange): DayRange[] {
  const spans = periods.map(({ day, last_day }) => ({ from: day, to: last_day }))
  const covered = new Set((periods[0]?.is_weekly === 1 ? [weeksOf(spans)] : spans).flatMap(eachDay))
  return dayRanges(eachDay(range).filter((day) => !covered.has(day)))
}

/**
 * The days that points of weeks may be about: a week begins or ends with its point. A week between them without a point
 * had no figures.
 */
function weeksOf(points: readonly DayRange[]): DayRange {
  const [first, last] = [points[0], points.at(-1)] as [DayRange, DayRange]
  const reach = (DAYS_OF_WEEK - 1) * DAY_MS
  return { from: utcDay(dayStart(first.from) - reach), to: utcDay(dayStart(last.to) + reach) }
}

/** A page as the caller gave it, and as browsers write it. */
const formsOf = (page: string): string[] => [...new Set([page, URL.parse(page)?.href ?? page])]

/** Whole periods inside the range; of overlapping ones the newest import. */
async function readAiReports(
  evidence: EvidenceStore,
  brand: OfBrand,
  range: DayRange,
  pages: readonly string[],
): Promise<Map<string, AiReport[]>> {
  const found = new Map<string, AiReport[]>()
  if (pages.length === 0) return found
  for (const { page, revision: _revision, ...row } of await evidence.all(aiReports(brand, range, pages))) {
    const report = { ...row, kind: row.kind as AiReportKind, source: row.source as AiReportSource }
    const kept = found.get(page) ?? []
    const overlaps = kept.some(
      (other) =>
        other.kind === report.kind &&
        other.source === report.source &&
        other.from <= report.to &&
        report.from <= other.to,
    )
    if (!overlaps) found.set(page, [...kept, report])
  }
  return found
}
