/** Requests Search Console with the key of a service account (RFC 7523; account API 3, connections). */
import { createPrivateKey, createSign } from 'node:crypto'
import { jsonOrUndefined, objectsAt, textAt } from '#json-members.ts'
import { type SafeFetchContext, safeFetch } from '#outgoing/safe-fetch.ts'
import { Refusal } from '#refusal.ts'
import { googleRowsOf } from './search-console.ts'
import { SearchFailure, unreachable } from './search-failure.ts'

export interface GoogleApi {
  /** Without a slash at the end. */
  base_url: string
  token_url: string
  outgoing: SafeFetchContext
  signal?: AbortSignal
}

/** The members of a service account's key file that are needed. */
export interface ServiceAccount {
  client_email: string
  private_key: string
  private_key_id: string | null
}

const SCOPE = 'https://www.googleapis.com/auth/webmasters.readonly'
const TIMEOUT_MS = 60_000
const MAX_BYTES = 64 * 1024 ** 2
const PAGE_ROWS = 25_000
/** The API gives at most 50,000 rows of a day. */
const MAX_PAGES = 4
const TOKEN_SECONDS = 3_600

/** @throws Refusal invalid_input when the text is not the key file of a service account. */
export function readServiceAccount(text: string): ServiceAccount {
  const json = jsonOrUndefined(text)
  const [client_email, private_key] = [textAt(json, 'client_email'), textAt(json, 'private_key')]
  if (textAt(json, 'type') !== 'service_account' || client_email === null || private_key === null) {
    throw noKey('that is not the JSON key of a service account: download it in the Google Cloud console, under Keys')
  }
  try {
    if (createPrivateKey(private_key).asymmetricKeyType === 'rsa') {
      return { client_email, private_key, private_key_id: textAt(json, 'private_key_id') }
    }
  } catch {
    throw noKey('the private key in that file is damaged: download the key file again')
  }
  throw noKey('the private key in that file is not an RSA key: download the key file again')
}

/** An access token of an hour. @throws SearchFailure. */
export async function fetchAccessToken(api: GoogleApi, account: ServiceAccount, now: number): Promise<string> {
  const body = new URLSearchParams({
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    assertion: signAssertion(account, api.token_url, Math.floor(now / 1_000)),
  }).toString()
  const { status, json } = await send(api, api.token_url, body, { 'content-type': 'application/x-www-form-urlencoded' })
  const token = textAt(json, 'access_token')
  if (status === 200 && token !== null) return token
  if (status === 400 || status === 401) {
    throw new SearchFailure(
      'key_rejected',
      'Google rejects the key: it was deleted, or its service account is disabled.',
    )
  }
  throw failureOf(status, json)
}

/** The rows of one day, all pages of them. @throws SearchFailure. */
export async function queryDay(
  api: GoogleApi,
  token: string,
  { property, day, dimensions }: { property: string; day: string; dimensions: readonly string[] },
): Promise<unknown[]> {
  const url = `${api.base_url}/sites/${encodeURIComponent(property)}/searchAnalytics/query`
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const found: unknown[] = []
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const asked = { startDate: day, endDate: day, dimensions, type: 'web', dataState: 'all' }
    const body = JSON.stringify({ ...asked, rowLimit: PAGE_ROWS, startRow: page * PAGE_ROWS })
    const { status, json } = await send(api, url, body, headers)
    if (status !== 200 || typeof json !== 'object') throw failureOf(status, json)
    const rows = googleRowsOf(json)
    found.push(...rows)
    if (rows.length < PAGE_ROWS) break
  }
  return found
}

function failureOf(status: number, json: unknown): SearchFailure {
  const reasons = objectsAt(json, 'error', 'errors').map((each) => textAt(each, 'reason'))
  const is_limit = reasons.some((reason) => reason === 'quotaExceeded' || reason === 'rateLimitExceeded')
  if (status === 429 || (status === 403 && is_limit))
    return new SearchFailure('rate_limited', 'Google limits the rate.')
  if (status === 401) return new SearchFailure('key_rejected', 'Google rejects the key.')
  if (status === 403) {
    return new SearchFailure(
      'not_permitted',
      'The service account may not read this property: add it in Search Console under Settings, Users and permissions.',
    )
  }
  if (status === 200) return new SearchFailure('unreadable', 'Google’s answer is not of the documented form.')
  return new SearchFailure('provider_error', `Google failed (${status}).`)
}

async function send(
  { outgoing, signal }: GoogleApi,
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ status: number; json: unknown }> {
  try {
    const answer = await safeFetch(outgoing, url, {
      method: 'POST',
      headers: { ...headers, accept: 'application/json' },
      body,
      timeout_ms: TIMEOUT_MS,
      max_bytes: MAX_BYTES,
      redirects: 0,
      ...(signal === undefined ? {} : { signal }),
    })
    return { status: answer.status, json: jsonOrUndefined(answer.body.toString('utf8')) }
  } catch (error) {
    throw unreachable(error)
  }
}

function signAssertion(
  { client_email, private_key, private_key_id }: ServiceAccount,
  audience: string,
  at: number,
): string {
  const header = { alg: 'RS256', typ: 'JWT', ...(private_key_id === null ? {} : { kid: private_key_id }) }
  const claims = { iss: client_email, scope: SCOPE, aud: audience, iat: at, exp: at + TOKEN_SECONDS }
  const signed = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  return `${signed}.${createSign('RSA-SHA256').update(signed).sign(private_key).toString('base64url')}`
}

const noKey = (detail: string) => new Refusal('invalid_input', detail)
