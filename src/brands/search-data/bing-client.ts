/** Requests Bing's Webmaster API. Its key is in the URL, so no URL is in messages or logs. */
import type { BingMethod } from '#contract/vocabulary.ts'
import { jsonOrUndefined, memberAt, textAt } from '#json-members.ts'
import { type SafeFetchContext, safeFetch } from '#outgoing/safe-fetch.ts'
import { bingRowsOf } from './bing-webmaster.ts'
import { SearchFailure, unreachable } from './search-failure.ts'

export interface BingApi {
  /** Without a slash at the end. */
  base_url: string
  outgoing: SafeFetchContext
  signal?: AbortSignal
}

const TIMEOUT_MS = 60_000
const MAX_BYTES = 64 * 1024 ** 2
const THROTTLED = new Set([4, 5])
const INVALID_KEY = 3

/** @throws SearchFailure. */
export async function askBing(
  { base_url, outgoing, signal }: BingApi,
  api_key: string,
  { property, method, page }: { property: string; method: BingMethod; page: string | null },
): Promise<unknown[]> {
  const query = new URLSearchParams({ siteUrl: property, ...(page === null ? {} : { page }), apikey: api_key })
  try {
    const { status, body } = await safeFetch(outgoing, `${base_url}/${method}?${query}`, {
      headers: { accept: 'application/json' },
      timeout_ms: TIMEOUT_MS,
      max_bytes: MAX_BYTES,
      redirects: 0,
      ...(signal === undefined ? {} : { signal }),
    })
    const json = jsonOrUndefined(body.toString('utf8'))
    if (status === 200 && Array.isArray(memberAt(json, 'd'))) return bingRowsOf(json)
    throw failureOf(status, json)
  } catch (error) {
    if (error instanceof SearchFailure) throw error
    throw unreachable(error)
  }
}

/** Bing throttles with status 400, for over an hour. */
function failureOf(status: number, json: unknown): SearchFailure {
  const code = Number(memberAt(json, 'ErrorCode'))
  const message = textAt(json, 'Message') ?? ''
  if (status === 429 || THROTTLED.has(code) || message.includes('Throttle')) {
    return new SearchFailure('rate_limited', 'Bing limits the rate.')
  }
  if (status === 401 || code === INVALID_KEY) return new SearchFailure('key_rejected', 'Bing rejects the key.')
  if (status === 403)
    return new SearchFailure('not_permitted', 'The key may not read this site: verify the site in Bing.')
  if (status === 200) return new SearchFailure('unreadable', 'Bing’s answer is not of the documented form.')
  return new SearchFailure('provider_error', `Bing failed (${status}).`)
}
