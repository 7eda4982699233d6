/** One row of search data, and its fields checked one by one (account API 3, search data). */
import { DAY_MS } from '#clock.ts'
import type { AiReportKind, AiReportSource, SearchSource, SearchType } from '#contract/vocabulary.ts'
import { SEARCH_SOURCES, SEARCH_TYPES } from '#contract/vocabulary.ts'
import { utcDay } from '#days/utc-day.ts'
import { quoted, quotedValue } from '#foreign-text.ts'
import { memberAt } from '#json-members.ts'
import { formatCount } from '#quantities.ts'
import { RecordFault } from '../answers/answer-record.ts'
import { choiceField, requiredText, textField, truthField } from '../answers/record-fields.ts'
import { FIRST_STORED_DAY, readDay } from '../day-range.ts'
import { countryOf } from './country-codes.ts'

/** Days are those of the source, unchanged. A missing dimension is null. */
export interface SearchRow {
  source: SearchSource
  property: string
  search_type: SearchType
  /** The day that the row is about, or the first of its period. */
  day: string
  last_day: string
  /** The source returns one point per week (Bing). */
  is_weekly: boolean
  /** False: the source may still change it. */
  is_final: boolean
  page: string | null
  query: string | null
  country: string | null
  device: string | null
  clicks: number
  impressions: number
  position: number | null
  /** Which dimensions the report has, in a fixed order: `page`, `page,query`, or empty for totals. */
  dimensions: string
}

/** Numbers about AI answers, which are not searches. A missing dimension is null. */
export interface AiReportRow {
  kind: AiReportKind
  source: AiReportSource
  from: string
  to: string
  page: string | null
  grounding_query: string | null
  citations: number | null
  impressions: number | null
}

export const SEARCH_DIMENSIONS = ['page', 'query', 'country', 'device'] as const
export type SearchDimension = (typeof SEARCH_DIMENSIONS)[number]

export const dimensionsOf = (present: (dimension: SearchDimension) => boolean): string =>
  SEARCH_DIMENSIONS.filter(present).join(',')

const MAX_PAGE_LENGTH = 4_096
const MAX_QUERY_LENGTH = 2_000

/** A record of the form `spoor.search-data/1`. @throws RecordFault naming field and value. */
export function readSearchRecord(raw: unknown): SearchRow {
  const texts = {
    page: pageField(raw, 'page'),
    query: textField(raw, 'query', MAX_QUERY_LENGTH),
    country: textField(raw, 'country'),
    device: textField(raw, 'device')?.toLowerCase() ?? null,
  }
  const day = dayField(raw, 'day')
  return {
    source: choiceField(raw, 'source', SEARCH_SOURCES, null) ?? missing('source'),
    property: requiredText(raw, 'property'),
    search_type: choiceField(raw, 'search_type', SEARCH_TYPES, 'web'),
    day,
    last_day: day,
    is_weekly: truthField(raw, 'weekly') ?? false,
    is_final: truthField(raw, 'final') ?? true,
    ...texts,
    country: countryOf(texts.country),
    ...numbersOf(raw),
    // A country that the source does not know (`zzz`) is one of the report's all the same.
    dimensions: dimensionsOf((dimension) => texts[dimension] !== null),
  }
}

/** Clicks, impressions and position; APIs send whole numbers as doubles. */
export function numbersOf(raw: unknown): Pick<SearchRow, 'clicks' | 'impressions' | 'position'> {
  const [clicks, impressions] = [amountField(raw, 'clicks'), amountField(raw, 'impressions')]
  if (clicks === null) throw missingFault('clicks')
  if (impressions === null) throw missingFault('impressions')
  return { clicks, impressions, position: positionField(raw) }
}

/** Sums of a year of such amounts are exact numbers. */
const MAX_AMOUNT = 1_000_000_000_000

/** A whole number of 0 or more, also as text or as a double without a fraction. */
export function amountField(raw: unknown, name: string): number | null {
  const value = memberAt(raw, name)
  if (value === undefined || value === null || value === '') return null
  const amount = typeof value === 'string' && /^\d+(\.0+)?$/.test(value) ? Number(value) : value
  if (typeof amount === 'number' && Number.isSafeInteger(amount) && amount >= 0 && amount <= MAX_AMOUNT) return amount
  const allowed = `a whole number of 0 to ${formatCount(MAX_AMOUNT)}`
  throw new RecordFault('invalid', `${name} is ${quotedValue(value)}: give ${allowed}.`)
}

/** Far beyond the results of any search; sums of such positions, each times its impressions, stay numbers. */
const MAX_POSITION = 1_000_000

/** Sources write 0 or -1 if there is no position. */
function positionField(raw: unknown): number | null {
  const value = memberAt(raw, 'position')
  if (value === undefined || value === null || value === '') return null
  const position = typeof value === 'string' ? Number(value) : value
  if (position === 0 || position === -1) return null
  if (typeof position === 'number' && position >= 1 && position <= MAX_POSITION) return position
  const allowed = `a number of 1 to ${formatCount(MAX_POSITION)}, or leave it out`
  throw new RecordFault('invalid', `position is ${quotedValue(value)}: give ${allowed}.`)
}

export function pageField(raw: unknown, name: string): string | null {
  const text = textField(raw, name, MAX_PAGE_LENGTH)
  if (text === null) return null
  const url = URL.parse(text)
  if (url !== null && (url.protocol === 'http:' || url.protocol === 'https:')) return text
  throw new RecordFault('invalid', `${name} is ${quoted(text)}: give an absolute http or https URL.`)
}

/**
 * Refuses days that do not exist or that the store would move to others, and future ones. Days are those of the source,
 * which may be in a time zone ahead.
 * @throws RecordFault invalid_date, future_date.
 */
export function checkDays(days: readonly string[], now: number): void {
  const wrong = days.find((day) => readDay(day) === null || day < FIRST_STORED_DAY)
  if (wrong !== undefined) {
    const message = `its day is ${quoted(wrong)}: give a day that exists, of ${FIRST_STORED_DAY} or later.`
    throw new RecordFault('invalid_date', message)
  }
  const last = utcDay(now + DAY_MS)
  const ahead = days.find((day) => day > last)
  if (ahead !== undefined) throw new RecordFault('future_date', `its day is ${ahead}, which is in the future.`)
}

export function dayField(raw: unknown, name: string): string {
  const day = requiredText(raw, name)
  if (readDay(day) !== null) return day
  throw new RecordFault('invalid_date', `${name} is ${quoted(day)}: give a day such as 2026-11-18.`)
}

const missingFault = (name: string) => new RecordFault('missing', `${name} is missing: give it in every record.`)
function missing(name: string): never {
  throw missingFault(name)
}
