/**
 * A double of Cloudflare's API for tests, because the real one cannot be reached: a local server that speaks the
 * documented shapes of token verification, zones, DNS records and the GraphQL nodes, and counts a made-up list of
 * requests the way the provider would.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface MadeUpRequest {
  /** An instant as ISO text. */
  at: string
  user_agent: string
  host?: string
  path?: string
  method?: string
  status?: number
  /** Category of verified bots; left out: none. */
  category?: string
  /** What a security rule did; left out: none did. */
  action?: string
  /** `eyeball` unless it is a Worker's own request. */
  source?: 'eyeball' | 'edgeWorkerFetch'
}

/** How one GraphQL answer goes wrong. */
export type Fault =
  | 'quota'
  | 'too_many_requests'
  | 'server_error'
  | 'no_json'
  | 'other_shape'
  | 'partial_data'
  | 'forbidden'
  | 'unauthorized_zone'
  | 'never_answers'
  | 'hangs_up'

export interface CloudflareStandIn {
  /** Base URL, as SPOOR_CLOUDFLARE_API_URL takes it. */
  url: string
  zone: { id: string; name: string }
  token: string
  token_status: 'active' | 'disabled' | 'expired' | 'unknown'
  requests: MadeUpRequest[]
  records: { name: string; type: string; proxied?: boolean }[]
  may_read_dns: boolean
  limits: {
    enabled: boolean
    notOlderThan: number
    maxDuration: number
    maxPageSize: number
    maxNumberOfFields: number
  }
  /** Every n-th request is looked at in hours (ISO text of their start) that are named, all of them in others. */
  sample_intervals: Record<string, number>
  /** Fields that the plan does not give, as they are written in a query. */
  refused_fields: string[]
  /** Faults of the next GraphQL answers, one each; null answers as usual. */
  faults: (Fault | null)[]
  /** The fault of every answer to a query for groups of an hour (ISO text of its start). */
  hour_faults: Record<string, Fault>
  /** Requests that were received: path, and body of a GraphQL one. */
  asked: { path: string; body: string; authorization: string }[]
  /** The slices asked for, as `from/to`. */
  slices(): string[]
  close(): Promise<void>
}

/** Starts one on a free port of the loopback; `now` says how old data is. */
export async function startCloudflareStandIn(now: () => number): Promise<CloudflareStandIn> {
  const server = createServer((request, response) => {
    answer(standIn, now, request, response).catch((error: unknown) => response.destroy(error as Error))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const standIn: CloudflareStandIn = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/client/v4`,
    zone: { id: '0123456789abcdef0123456789abcdef', name: 'example.com' },
    token: 'made-up-token-of-a-stand-in-000000000001',
    token_status: 'active',
    requests: [],
    records: [],
    may_read_dns: true,
    limits: {
      enabled: true,
      notOlderThan: 3 * 86_400,
      maxDuration: 86_400,
      maxPageSize: 10_000,
      maxNumberOfFields: 30,
    },
    sample_intervals: {},
    refused_fields: [],
    faults: [],
    hour_faults: {},
    asked: [],
    slices() {
      return this.asked.flatMap(({ body }) => {
        const variables = body === '' ? {} : JSON.parse(body).variables
        return variables.from === undefined ? [] : [`${variables.from}/${variables.to}`]
      })
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return standIn
}

async function answer(
  standIn: CloudflareStandIn,
  now: () => number,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const body = Buffer.concat(parts).toString('utf8')
  const url = new URL(request.url ?? '/', standIn.url)
  const path = url.pathname.replace('/client/v4', '')
  standIn.asked.push({ path: path + url.search, body, authorization: request.headers.authorization ?? '' })
  const isKnown = request.headers.authorization === `Bearer ${standIn.token}` && standIn.token_status !== 'unknown'
  if (!isKnown) return send(response, 401, failure(1000, 'Invalid API Token'))
  if (path === '/user/tokens/verify') {
    return send(response, 200, success({ id: 'f'.repeat(32), status: standIn.token_status }))
  }
  if (standIn.token_status !== 'active')
    return send(response, 403, failure(9109, 'Unauthorized to access requested resource'))
  if (path === '/zones') {
    const isNamed = url.searchParams.get('name') === standIn.zone.name
    return send(response, 200, success(isNamed ? [standIn.zone] : []))
  }
  if (path === `/zones/${standIn.zone.id}`) return send(response, 200, success(standIn.zone))
  if (path === `/zones/${standIn.zone.id}/dns_records`) return sendRecords(standIn, url, response)
  if (path === '/graphql') return answerQuery(standIn, now(), JSON.parse(body), response)
  return send(response, 404, failure(7003, 'Could not route to the path'))
}

function sendRecords(standIn: CloudflareStandIn, url: URL, response: ServerResponse): void {
  if (!standIn.may_read_dns) {
    send(response, 403, failure(10000, 'Authentication error'))
    return
  }
  const page = Number(url.searchParams.get('page'))
  const size = Math.min(3, Number(url.searchParams.get('per_page')))
  const { records } = standIn
  const result_info = {
    page,
    per_page: size,
    count: size,
    total_count: records.length,
    total_pages: Math.ceil(records.length / size),
  }
  send(response, 200, { ...success(records.slice((page - 1) * size, page * size)), result_info })
}

interface Question {
  query: string
  variables: { zone: string; from?: string; to?: string }
}

function answerQuery(
  standIn: CloudflareStandIn,
  now: number,
  { query, variables }: Question,
  response: ServerResponse,
): void {
  const hour = variables.from === undefined ? '' : `${variables.from.slice(0, 13)}:00:00Z`
  const fault = standIn.hour_faults[hour] ?? standIn.faults.shift() ?? null
  if (fault !== null) {
    misbehave(fault, response)
    return
  }
  const zone = zoneAnswer(standIn, now, query, variables)
  if (typeof zone === 'string') send(response, 200, refused(zone))
  else send(response, 200, { data: { viewer: { zones: [zone] } }, errors: null })
}

/** What the node of the zone holds, or the message of an error. */
function zoneAnswer(standIn: CloudflareStandIn, now: number, query: string, variables: Question['variables']) {
  if (variables.zone !== standIn.zone.id) return `zones ["${variables.zone}"] are not authorized`
  if (/settings \{/.test(query)) return { settings: { httpRequestsAdaptiveGroups: standIn.limits } }
  return groups(standIn, now, query, variables as Required<Question['variables']>)
}

function groups(
  standIn: CloudflareStandIn,
  now: number,
  query: string,
  { from, to, zone }: Required<Question['variables']>,
) {
  const limit = Number(/limit: (\d+)/.exec(query)?.[1])
  const fields = /dimensions \{ ([\w ]+) \}/.exec(query)?.[1]?.split(' ') ?? []
  const asked = [...fields, ...(query.includes('sampleSize') ? ['confidence'] : [])]
  const refusedField = asked.find((field) => standIn.refused_fields.includes(field))
  if (refusedField !== undefined)
    return `zone '${zone}' does not have access to the field '${refusedField.toLowerCase()}'`
  if (!query.includes('requestSource: "eyeball"')) return 'a stand-in answers for eyeballs only'
  if (!(limit > 0 && limit <= standIn.limits.maxPageSize)) {
    return `limit must be positive number and not greater than ${standIn.limits.maxPageSize}`
  }
  const [start, end] = [Date.parse(from), Date.parse(to)]
  if (now - start > standIn.limits.notOlderThan * 1_000)
    return `cannot request data older than ${standIn.limits.notOlderThan}s`
  if (end - start > standIn.limits.maxDuration * 1_000) return 'query time range is too large'
  const found = standIn.requests.filter((made) => {
    const at = Date.parse(made.at)
    return at >= start && at < end && (made.source ?? 'eyeball') === 'eyeball'
  })
  const interval = standIn.sample_intervals[`${from.slice(0, 13)}:00:00Z`] ?? 1
  const sampled = found.filter((_, at) => at % Math.ceil(interval) === 0)
  const byDimensions = Map.groupBy(sampled, (made) => JSON.stringify(dimensionsOf(standIn, made, fields)))
  const httpRequestsAdaptiveGroups = [...byDimensions].slice(0, limit).map(([dimensions, members]) => ({
    count: Math.round(members.length * interval),
    avg: { sampleInterval: interval },
    ...(asked.includes('confidence') ? { confidence: { count: { sampleSize: members.length } } } : {}),
    dimensions: JSON.parse(dimensions),
  }))
  return { httpRequestsAdaptiveGroups }
}

function dimensionsOf(
  standIn: CloudflareStandIn,
  made: MadeUpRequest,
  fields: readonly string[],
): Record<string, unknown> {
  const all: Record<string, unknown> = {
    userAgent: made.user_agent,
    clientRequestHTTPHost: made.host ?? standIn.zone.name,
    clientRequestPath: made.path ?? '/',
    clientRequestHTTPMethodName: made.method ?? 'GET',
    edgeResponseStatus: made.status ?? 200,
    verifiedBotCategory: made.category ?? '',
    securityAction: made.action ?? 'unknown',
  }
  return Object.fromEntries(fields.map((field) => [field, all[field]]))
}

function misbehave(fault: Fault, response: ServerResponse): void {
  if (fault === 'never_answers') return
  if (fault === 'hangs_up') response.destroy()
  else if (fault === 'quota') send(response, 200, refused('rate limiter budget depleted, try again after 5 minutes'))
  else if (fault === 'too_many_requests')
    send(response, 429, failure(10429, 'Too many requests'), { 'retry-after': '120' })
  else if (fault === 'server_error') send(response, 502, '<html>Bad gateway</html>')
  else if (fault === 'no_json') send(response, 200, '{"data": {"viewer"')
  else if (fault === 'other_shape') send(response, 200, { data: { viewer: { zones: [{ groups: [] }] } }, errors: null })
  else if (fault === 'forbidden') send(response, 403, failure(10000, 'Authentication error'))
  else if (fault === 'unauthorized_zone') send(response, 200, refused('zones ["…"] are not authorized'))
  else {
    const zones = [{ httpRequestsAdaptiveGroups: [] }]
    send(response, 200, {
      data: { viewer: { zones } },
      errors: [{ message: 'Internal server error', path: ['viewer'] }],
    })
  }
}

function send(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(typeof body === 'string' ? body : JSON.stringify(body))
}

const success = (result: unknown) => ({ success: true, errors: [], messages: [], result })
const failure = (code: number, message: string) => ({
  success: false,
  errors: [{ code, message }],
  messages: [],
  result: null,
})
const refused = (message: string) => ({
  data: null,
  errors: [{ message, path: ['viewer', 'zones', '0'], extensions: { timestamp: '2026-03-10T12:00:00Z' } }],
})
