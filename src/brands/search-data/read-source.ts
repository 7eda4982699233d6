/** Reads search data from an engine's API, day by day or week by week. */
import { DAY_MS } from '#clock.ts'
import type { SearchSource } from '#contract/vocabulary.ts'
import type { SafeFetchContext } from '#outgoing/safe-fetch.ts'
import { RecordFault } from '../answers/answer-record.ts'
import { askBing } from './bing-client.ts'
import { readBingRow } from './bing-webmaster.ts'
import { fetchAccessToken, queryDay, readServiceAccount } from './google-client.ts'
import { readSearchConsoleRow } from './search-console.ts'
import { SearchFailure } from './search-failure.ts'
import { checkDays, type SearchRow } from './search-row.ts'

/** The addresses of the search engines' APIs, and the context of requests to them. */
export interface SearchApis {
  google_url: string
  google_token_url: string
  bing_url: string
  outgoing: SafeFetchContext
}

/** The addresses from the configuration. */
export const searchApisOf = (
  config: Record<'search_console_api_url' | 'google_token_url' | 'bing_webmaster_api_url', string>,
  outgoing: SafeFetchContext,
): SearchApis => ({
  google_url: config.search_console_api_url,
  google_token_url: config.google_token_url,
  bing_url: config.bing_webmaster_api_url,
  outgoing,
})

/** The sets of rows that are read of each day. Rows by page include clicks that rows by page and query leave out. */
export const GOOGLE_DIMENSIONS = [['page'], ['page', 'query']] as const

interface SourceInput {
  property: string
  key: string
  now: number
  signal?: AbortSignal
}

/** @throws SearchFailure: the key may not read the property. */
export async function tryKey(
  apis: SearchApis,
  asked: SourceInput & { source: SearchSource; day: string },
): Promise<void> {
  const { source, property, key, day } = asked
  if (source === 'google') {
    const { api, token } = await googleSession(apis, asked)
    await queryDay(api, token, { property, day, dimensions: [] })
  } else await askBing(bingApi(apis, asked), key, { property, method: 'GetPageStats', page: null })
}

/** Access to Google for an hour. @throws SearchFailure. */
export async function googleSession(apis: SearchApis, { key, now, signal }: Omit<SourceInput, 'property'>) {
  const api = {
    base_url: apis.google_url,
    token_url: apis.google_token_url,
    outgoing: apis.outgoing,
    ...(signal === undefined ? {} : { signal }),
  }
  return { api, token: await fetchAccessToken(api, readServiceAccount(key), now) }
}

/** The rows of one day. @throws SearchFailure. */
export async function readGoogleDay(
  { api, token }: Awaited<ReturnType<typeof googleSession>>,
  asked: { property: string; day: string; dimensions: readonly string[]; is_final: boolean },
): Promise<SearchRow[]> {
  const raw = await queryDay(api, token, asked)
  return raw.map((row) => readOrFail(() => readSearchConsoleRow(row, { ...asked, search_type: 'web' })))
}

/** All weeks of all pages, or of the queries of one page. @throws SearchFailure. */
export async function readBingWeeks(
  apis: SearchApis,
  asked: SourceInput & { page: string | null },
): Promise<SearchRow[]> {
  const { property, page, key } = asked
  const method = page === null ? ('GetPageStats' as const) : ('GetPageQueryStats' as const)
  const raw = await askBing(bingApi(apis, asked), key, { property, method, page })
  return raw.map((each) =>
    readOrFail(() => {
      const row = readBingRow(each, { property, method, page })
      checkDays([row.day], asked.now)
      return row
    }),
  )
}

const bingApi = ({ bing_url, outgoing }: SearchApis, { signal }: Pick<SourceInput, 'signal'>) => ({
  base_url: bing_url,
  outgoing,
  ...(signal === undefined ? {} : { signal }),
})

function readOrFail<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof RecordFault)) throw error
    throw new SearchFailure('unreadable', `A row of the answer cannot be read: ${error.message}`)
  }
}

const PACIFIC = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Los_Angeles', dateStyle: 'short' })

/** The day in Search Console's time zone that is `days` after the day of an instant. */
export function pacificDay(at: number, days: number): string {
  const today = Date.parse(PACIFIC.format(at))
  return new Date(today + days * DAY_MS).toISOString().slice(0, 10)
}
