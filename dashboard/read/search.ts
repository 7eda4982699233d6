/** The parameters of the dashboard's addresses. They are the API's, with its names, values and defaults. */
import {
  DEFAULT_PURPOSES,
  DEFAULT_WINDOW,
  PURPOSES,
  type Purpose,
  WINDOWS,
  type Window,
} from '../../src/contract/vocabulary.ts'

/** The parameters of the address after their check; a missing one has its default. */
export interface Search {
  window?: string
  purpose?: string
  limit?: string
  view?: string
  day?: string
  sort?: string
  q?: string
  group?: string
  /** The drawer with evidence that is open over the page. */
  drawer?: string
}

const NAMES: readonly (keyof Search)[] = ['window', 'purpose', 'limit', 'view', 'day', 'sort', 'q', 'group', 'drawer']

/** The drawer with the coverage of each day of the window. A link with this value opens it. */
export const COVERAGE_DRAWER = 'coverage'

/** A value that the page cannot show, in the words of the API's 400. */
export class RefusedSearch extends Error {
  readonly parameter: string
  readonly windows: readonly Window[]
  constructor(
    parameter: string,
    given: string,
    allowed: string,
    { windows = [], words }: { windows?: readonly Window[]; words?: string | undefined } = {},
  ) {
    super(words ?? `${parameter} is ${JSON.stringify(given)}; allowed is ${allowed}.`)
    this.name = 'RefusedSearch'
    this.parameter = parameter
    this.windows = windows
  }
}

interface Allowed {
  windows?: readonly Window[]
  /** The message for a window that other pages have but this page does not. */
  window_words?: string
  /** Values of `group`, the first being the default. */
  groups?: readonly string[]
  /** Keys of the columns that may be sorted by. */
  sorts?: readonly string[]
  max_limit?: number
  /** Further parameters of the page, such as host and path; they are texts. */
  further?: readonly string[]
}

/**
 * For a route's `validateSearch`: lets known parameters pass, throws `RefusedSearch` for a value that is not allowed.
 */
export const searchOf =
  (allowed: Allowed = {}) =>
  (given: Record<string, unknown>): Search & Record<string, string> => {
    const search: Record<string, string> = {}
    for (const name of [...NAMES, ...(allowed.further ?? [])]) {
      const value = given[name]
      if (typeof value === 'string' && value !== '') search[name] = value
    }
    check(search, allowed)
    return search as Search & Record<string, string>
  }

function check(search: Search, { windows = WINDOWS, window_words, groups, sorts, max_limit = 50 }: Allowed): void {
  const oneOf = (name: keyof Search, values: readonly string[]) => {
    const value = search[name]
    if (value === undefined || values.includes(value)) return
    if (name !== 'window') throw new RefusedSearch(name, value, `one of ${values.join(', ')}`)
    const words = (WINDOWS as readonly string[]).includes(value) ? window_words : undefined
    throw new RefusedSearch(name, value, `one of ${values.join(', ')}`, { windows, words })
  }
  oneOf('window', windows)
  for (const member of search.purpose?.split(',') ?? []) {
    if (!(PURPOSES as readonly string[]).includes(member)) {
      throw new RefusedSearch('purpose', search.purpose ?? '', `a comma-separated list of ${PURPOSES.join(', ')}`)
    }
  }
  if (search.limit !== undefined && !(/^[1-9]\d*$/.test(search.limit) && Number(search.limit) <= max_limit)) {
    throw new RefusedSearch('limit', search.limit, `a whole number from 1 to ${max_limit}`)
  }
  const { offset } = search as { offset?: string }
  if (offset !== undefined && !/^\d{1,9}$/.test(offset)) {
    throw new RefusedSearch('offset', offset, 'a whole number from 0')
  }
  oneOf('view', ['table'])
  oneOf('drawer', [COVERAGE_DRAWER])
  if (search.day !== undefined && !isDay(search.day)) {
    throw new RefusedSearch('day', search.day, 'a day as YYYY-MM-DD')
  }
  if (groups !== undefined) oneOf('group', groups)
  if (sorts !== undefined) oneOf('sort', [...sorts, ...sorts.map((key) => `-${key}`)])
}

/** Whether it is a day that exists, as YYYY-MM-DD. */
export const isDay = (text: string) =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) &&
  !Number.isNaN(Date.parse(text)) &&
  new Date(text).toISOString().slice(0, 10) === text

export interface ReportFilter {
  window: Window
  /** In the order of the vocabulary. */
  purposes: readonly Purpose[]
}

/** The limit of a checked search; one that is left out is the service's own, so that pages share what was read. */
export const limitOf = ({ limit }: Search): { limit?: number } => (limit === undefined ? {} : { limit: Number(limit) })

/** Window and purposes of a checked search. */
export function filterOf(search: Search): ReportFilter {
  const given = search.purpose?.split(',')
  return {
    window: (search.window ?? DEFAULT_WINDOW) as Window,
    purposes: given === undefined ? DEFAULT_PURPOSES : PURPOSES.filter((purpose) => given.includes(purpose)),
  }
}

/** The filter as parameters of the address, without defaults. */
export function searchOfFilter({ window, purposes }: ReportFilter): Pick<Search, 'window' | 'purpose'> {
  const ordered = PURPOSES.filter((purpose) => purposes.includes(purpose)).join(',')
  return {
    ...(window === DEFAULT_WINDOW ? {} : { window }),
    ...(ordered === DEFAULT_PURPOSES.join(',') ? {} : { purpose: ordered }),
  }
}

/** `?window=90d&purpose=search,training`; commas, slashes and colons stay readable. */
export function searchText(search: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(search).flatMap(([name, value]) =>
    value === undefined || value === null || value === ''
      ? []
      : [
          `${encodeURIComponent(name)}=${encodeURIComponent(String(value)).replace(/%(2C|2F|3A)/g, decodeURIComponent)}`,
        ],
  )
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

/** The first value of each name; all of them are texts. */
export const parseSearch = (text: string): Record<string, string> =>
  Object.fromEntries([...new URLSearchParams(text)].reverse())
