/** The parameters of the addresses of brand pages: the account API's, with its names, values and defaults. */
import { useParams } from '@tanstack/react-router'
import {
  ANSWER_STATES,
  CITATION_SOURCES,
  COMPARISONS,
  ENGINES,
  type Engine,
  FIX_STATUS_FILTERS,
  QUESTION_KINDS,
  QUESTION_STATUS_FILTERS,
  REPORT_INTERVALS,
  SEARCH_SOURCES,
  URL_DIMENSIONS,
} from '../../src/contract/vocabulary.ts'
import { shiftDay } from '../words/days.ts'
import { isDay, RefusedSearch, type Search, searchOf } from './search.ts'
import { useReportSearch } from './use-report.ts'

const VALUES = {
  branded: ['true', 'false'],
  mentioned: ['true', 'false'],
  cited: ['true', 'false'],
  compare: COMPARISONS,
  interval: REPORT_INTERVALS,
  dimension: URL_DIMENSIONS,
  kind: QUESTION_KINDS,
} as const

/**
 * The parameters of a brand page. Parameters with a closed set of values are checked here, the others by the service.
 */
export interface BrandSearch extends Search {
  from?: string
  to?: string
  engines?: string
  country?: string
  question_id?: string
  branded?: 'true' | 'false'
  mentioned?: 'true' | 'false'
  cited?: 'true' | 'false'
  compare?: (typeof COMPARISONS)[number]
  interval?: (typeof REPORT_INTERVALS)[number]
  dimension?: (typeof URL_DIMENSIONS)[number]
  kind?: (typeof QUESTION_KINDS)[number]
  source?: string
  page?: string
  status?: string
  offset?: string
}

/** For `validateSearch`. `allowed` has the values of `status` and `source` on this page. */
export function brandSearchOf(names: readonly (keyof BrandSearch)[], allowed: BrandValues = {}) {
  const pass = searchOf({ further: names })
  return (given: Record<string, unknown>): BrandSearch => {
    const search = pass(given) as Record<string, string>
    const closed: Record<string, readonly string[]> = { ...VALUES, ...allowed }
    for (const [name, values] of Object.entries(closed)) {
      const value = search[name]
      if (value !== undefined && !values.includes(value)) {
        throw new RefusedSearch(name, value, `one of ${values.join(', ')}`)
      }
    }
    // The filters show these before the service refuses them.
    for (const name of ['from', 'to']) {
      const day = search[name]
      if (day !== undefined && !isDay(day)) throw new RefusedSearch(name, day, 'a day as YYYY-MM-DD')
    }
    if (search.country !== undefined && !/^(?:[A-Z]{2}|none)$/.test(search.country)) {
      throw new RefusedSearch('country', search.country, 'two capital letters such as DE, or none')
    }
    for (const engine of search.engines?.split(',') ?? []) {
      if (!(ENGINES as readonly string[]).includes(engine)) {
        throw new RefusedSearch('engines', search.engines ?? '', `a comma-separated list of ${ENGINES.join(', ')}`)
      }
    }
    return search as BrandSearch
  }
}
/** Values that differ by page. */
interface BrandValues {
  status?: readonly string[]
  source?: readonly string[]
}
export const ANSWER_STATUSES = ANSWER_STATES
export const QUESTION_STATUSES = QUESTION_STATUS_FILTERS
export const FIX_STATUSES = FIX_STATUS_FILTERS
export const URL_SOURCES = [...CITATION_SOURCES, ...SEARCH_SOURCES] as const

export const useBrandSearch = () => useReportSearch() as BrandSearch

/** The brand of the page that is shown. */
export const useBrandId = (): string => String((useParams({ strict: false }) as { brand?: string }).brand)

/** Days, engines, country and question, as every report of a brand takes them. */
export const commonInput = (brand: string, search: BrandSearch) => ({
  brandId: brand,
  ...given({ from: search.from, to: search.to, country: search.country, question_id: search.question_id }),
  ...(search.engines === undefined ? {} : { engines: search.engines.split(',') as Engine[] }),
})

/** `true` and `false` of an address as booleans. */
export const truthOf = (text: 'true' | 'false' | undefined): boolean | undefined =>
  text === undefined ? undefined : text === 'true'

/** Without the members that have no value. */
export function given<Input extends object>(input: Input): { [Key in keyof Input]?: Exclude<Input[Key], undefined> } {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as never
}

const MAX_DEFAULT_DAYS = 30

export interface DayRange {
  from: string
  to: string
}

/** Both days with the service's defaults; `today` is the service's current day. */
export function rangeOf({ from, to }: BrandSearch, today: string): DayRange {
  if (from !== undefined && to !== undefined) return { from, to }
  if (from !== undefined) {
    const last = shiftDay(from, MAX_DEFAULT_DAYS - 1)
    return { from, to: last < today ? last : today }
  }
  const last = to ?? today
  return { from: shiftDay(last, 1 - MAX_DEFAULT_DAYS), to: last }
}

/** The last `days` days; 30 is the default, which is left out of the address. */
export const lastDays = (days: number, today: string): Partial<DayRange> =>
  days === MAX_DEFAULT_DAYS ? {} : { from: shiftDay(today, 1 - days), to: today }

/** The longest range of answers (account API, section 1); reports allow more. */
export const MAX_ANSWER_DAYS = 90

/** The last days of a range that is longer than answers allow, for links to them; any other range as it is. */
export function withinAnswerDays<Range extends { from?: string | undefined; to?: string | undefined }>(
  range: Range,
): Range {
  const { from, to } = range
  if (from === undefined || to === undefined || !isDay(from) || !isDay(to)) return range
  const first = shiftDay(to, 1 - MAX_ANSWER_DAYS)
  return from < first ? { ...range, from: first } : range
}

/** The filters of a report that the list of answers also has, for links to it. */
export const searchOfAnswers = ({ from, to, engines, country, question_id, branded }: BrandSearch) =>
  withinAnswerDays(given({ from, to, engines, country, question_id, branded }))
