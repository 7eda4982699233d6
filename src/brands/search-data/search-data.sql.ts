import Type from 'typebox'
import type { AiReportSource, SearchSource } from '#contract/vocabulary.ts'
import type { DayRange } from '#days/windows.ts'
import { count, day, type Fragment, isOneOf, list, rows, sql, text, uint64, uuid } from '#evidence/sql.ts'
import type { FoundBrand } from '../find-brand.ts'

type OfBrand = Pick<FoundBrand, 'id' | 'account_id'>

const ofBrand = ({ account_id, id }: OfBrand): Fragment =>
  sql`account_id = ${uuid(account_id)} AND brand_id = ${uuid(id)}`

/** One set of rows that may be added up: one source, property, type of search and set of dimensions. */
export interface SearchRowSet {
  source: SearchSource
  property: string
  search_type: string
  dimensions: string
}

const ofSet = ({ source, property, search_type, dimensions }: SearchRowSet): Fragment =>
  sql`source = ${text(source)} AND property = ${text(property)} AND search_type = ${text(search_type)}
    AND dimensions = ${text(dimensions)}`

/** The number of rows of a set on the days, and a sum of their contents, which shows what an import changes. */
export const storedSearchRows = (brand: OfBrand, set: SearchRowSet, days: readonly string[]) => rows(
  Type.Object({
    day: Type.String(),
    last_day: Type.String(),
    page: Type.String(),
    query: Type.String(),
    country: Type.String(),
    device: Type.String(),
    clicks: count(),
    impressions: count(),
    position: Type.Union([Type.Number(), Type.Null()]),
  }),
)`
  SELECT toString(day) AS day, toString(last_day) AS last_day, page, query, country, device, clicks, impressions, position
  FROM spoor.search_rows FINAL
  WHERE ${ofBrand(brand)} AND ${ofSet(set)} AND search_rows.day IN ${list('Date', days)}
  ORDER BY day, last_day, page, query, country, device`

/** Rows of some days that are left from an older read. */
export const deleteOlderRows = (
  brand: OfBrand,
  set: SearchRowSet,
  days: readonly string[],
  revision: number,
): Fragment =>
  sql`DELETE FROM spoor.search_rows
    WHERE ${ofBrand(brand)} AND ${ofSet(set)} AND day IN ${list('Date', days)} AND revision < ${uint64(revision)}`

/** The days that are added, or the period that has sums. */
export interface SumSpan extends DayRange {
  is_daily: boolean
  /** The days of them; left out: all. */
  only?: readonly string[]
}

/** Rows of days and of longer periods are never added to each other. */
function inSpan({ from, to, is_daily, only }: SumSpan): Fragment {
  if (!is_daily) return sql`search_rows.day = ${day(from)} AND last_day = ${day(to)}`
  const days = sql`search_rows.day >= ${day(from)} AND last_day <= ${day(to)} AND last_day = search_rows.day`
  return only === undefined ? days : sql`${days} AND search_rows.day IN ${list('Date', only)}`
}

/** Pages, or the queries of one page, with their sums; the position is weighted by impressions. */
export const searchSums = (
  brand: OfBrand,
  set: SearchRowSet,
  span: SumSpan,
  { by, page, limit, offset }: { by: 'page' | 'query'; page: readonly string[] | null; limit: number; offset: number },
) => rows(
  Type.Object({
    name: Type.String(),
    clicks: count(),
    impressions: count(),
    position_weight: count(),
    position_sum: Type.Number(),
    days: count(),
  }),
)`
  SELECT ${by === 'page' ? sql`page` : sql`query`} AS name, sum(search_rows.clicks) AS clicks,
    sum(search_rows.impressions) AS impressions,
    sumIf(search_rows.impressions, isNotNull(position)) AS position_weight,
    sumIf(assumeNotNull(position) * search_rows.impressions, isNotNull(position)) AS position_sum,
    uniqExact(day) AS days
  FROM spoor.search_rows FINAL
  WHERE ${ofBrand(brand)} AND ${ofSet(set)} AND ${inSpan(span)}
    AND ${page === null ? sql`1` : sql`page IN ${list('String', page)}`}
  GROUP BY name
  ORDER BY clicks DESC, impressions DESC, name
  LIMIT ${uint64(limit)} OFFSET ${uint64(offset)}`

/** The number of names in `searchSums` without its limit. */
export const countSearchNames = (
  brand: OfBrand,
  set: SearchRowSet,
  span: SumSpan,
  { by, page }: { by: 'page' | 'query'; page: readonly string[] | null },
) => rows(Type.Object({ names: count() }))`
  SELECT uniqExact(${by === 'page' ? sql`page` : sql`query`}) AS names
  FROM spoor.search_rows FINAL
  WHERE ${ofBrand(brand)} AND ${ofSet(set)} AND ${inSpan(span)}
    AND ${page === null ? sql`1` : sql`page IN ${list('String', page)}`}`

/** Reports about AI answers whose whole period lies in the range, by page; of overlapping ones the newest first. */
export const aiReports = (brand: OfBrand, { from, to }: DayRange, pages: readonly string[]) => rows(
  Type.Object({
    kind: Type.String(),
    source: Type.String(),
    from: Type.String(),
    to: Type.String(),
    page: Type.String(),
    citations: Type.Union([count(), Type.Null()]),
    impressions: Type.Union([count(), Type.Null()]),
    revision: count(),
  }),
)`
  SELECT toString(kind) AS kind, toString(source) AS source, toString(from_day) AS from, toString(to_day) AS to, page,
    citations, impressions, revision
  FROM spoor.search_ai_rows FINAL
  WHERE ${ofBrand(brand)} AND from_day >= ${day(from)} AND to_day <= ${day(to)}
    AND ${isOneOf(sql`page`, 'String', pages)}
  ORDER BY page, kind, source, revision DESC, from_day DESC`

/** The stored rows of some periods of AI reports, which show what an import changes. */
export const storedAiRows = (
  brand: OfBrand,
  { kind, source, from, to }: { kind: string; source: AiReportSource; from: string; to: string },
) => rows(
  Type.Object({
    page: Type.String(),
    grounding_query: Type.String(),
    citations: Type.Union([count(), Type.Null()]),
    impressions: Type.Union([count(), Type.Null()]),
  }),
)`
  SELECT page, grounding_query, citations, impressions
  FROM spoor.search_ai_rows FINAL
  WHERE ${ofBrand(brand)} AND kind = ${text(kind)} AND source = ${text(source)}
    AND from_day = ${day(from)} AND to_day = ${day(to)}
  ORDER BY page, grounding_query`

/** Brands with stored search data. */
export const searchDataBrands = rows(Type.Object({ brand_id: Type.String() }))`
  SELECT DISTINCT brand_id FROM (
    SELECT toString(search_rows.brand_id) AS brand_id FROM spoor.search_rows
    UNION ALL
    SELECT toString(search_ai_rows.brand_id) AS brand_id FROM spoor.search_ai_rows
  )
  ORDER BY brand_id`

/** Deletes the data of brands, all with one statement, because a delete visits every part of its table. */
export const deleteSearchDataOf = (brandIds: readonly string[]): Fragment[] => [
  sql`DELETE FROM spoor.search_rows WHERE brand_id IN ${list('UUID', brandIds)}`,
  sql`DELETE FROM spoor.search_ai_rows WHERE brand_id IN ${list('UUID', brandIds)}`,
]

/** Deletes data that ended before a day. */
export const deleteSearchDataBefore = (before: string): Fragment[] => [
  sql`DELETE FROM spoor.search_rows WHERE last_day < ${day(before)}`,
  sql`DELETE FROM spoor.search_ai_rows WHERE to_day < ${day(before)}`,
]
