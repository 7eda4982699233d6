/**
 * A double of Search Console and Bing's Webmaster API: a real server on loopback that speaks their documented protocol
 * (a token for a signed assertion, pages of rows, points of weeks).
 */
import { createVerify, generateKeyPairSync } from 'node:crypto'
import type { SearchApis } from '#brands/search-data/read-source.ts'
import { openHttpDouble } from './http-double.ts'

export interface SearchEngineDouble {
  apis: SearchApis
  /** The JSON key of a service account that it knows. */
  service_account: string
  bing_key: string
  /** What Search Console has: rows by day and dimensions. */
  google: Map<string, { keys: string[]; clicks: number; impressions: number; position: number }[]>
  /** What Bing has: points by page; those under `` are of pages. */
  bing: Map<
    string,
    { Query: string; Date: string; Clicks: number; Impressions: number; AvgImpressionPosition: number }[]
  >
  /** The next answers of the data APIs, before they answer again as usual. */
  failures: { status: number; body: unknown }[]
  asked: string[]
}

/** Closed at the end of the test. */
export async function openSearchEngines(): Promise<SearchEngineDouble> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const double: Omit<SearchEngineDouble, 'apis'> = {
    service_account: JSON.stringify({
      type: 'service_account',
      client_email: 'reader@project.iam.gserviceaccount.com',
      private_key_id: 'k1',
      private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    }),
    bing_key: 'bing-key-1',
    google: new Map(),
    bing: new Map(),
    failures: [],
    asked: [],
  }

  function answer(url: URL, body: string, bearer: string | undefined): { status: number; body: unknown } {
    if (url.pathname === '/token') return giveToken(new URLSearchParams(body))
    const failure = double.failures.shift()
    if (failure !== undefined) return failure
    if (url.pathname.startsWith('/bing/')) return answerBing(url)
    if (bearer !== 'Bearer access') return { status: 401, body: { error: { code: 401 } } }
    const { startDate, dimensions, startRow, rowLimit } = JSON.parse(body)
    double.asked.push(`${startDate} ${dimensions.join(',')}`)
    const rows = (double.google.get(`${startDate} ${dimensions.join(',')}`) ?? []).slice(startRow, startRow + rowLimit)
    return { status: 200, body: rows.length === 0 ? { responseAggregationType: 'byPage' } : { rows } }
  }

  function giveToken(form: URLSearchParams) {
    const [header, claims, signature] = (form.get('assertion') ?? '').split('.')
    const isSigned = createVerify('RSA-SHA256')
      .update(`${header}.${claims}`)
      .verify(publicKey, Buffer.from(signature ?? '', 'base64url'))
    if (!isSigned) return { status: 400, body: { error: 'invalid_grant' } }
    return { status: 200, body: { access_token: 'access', expires_in: 3_600, token_type: 'Bearer' } }
  }

  function answerBing(url: URL) {
    if (url.searchParams.get('apikey') !== double.bing_key) {
      return { status: 400, body: { ErrorCode: 3, Message: 'ERROR!!! InvalidApiKey' } }
    }
    const method = url.pathname.slice('/bing/'.length)
    double.asked.push(`${method} ${url.searchParams.get('page') ?? ''}`.trim())
    return { status: 200, body: { d: double.bing.get(url.searchParams.get('page') ?? '') ?? [] } }
  }

  const { url: base, outgoing } = await openHttpDouble(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const url = new URL(request.url ?? '', 'http://localhost')
    const { status, body } = answer(url, Buffer.concat(parts).toString(), request.headers.authorization)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  return Object.assign(double, {
    apis: {
      google_url: `${base}/google`,
      google_token_url: `${base}/token`,
      bing_url: `${base}/bing`,
      outgoing,
    },
  })
}
