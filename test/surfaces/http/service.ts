/**
 * A service whose operations are small functions: what the surface does with their answers is what these tests are
 * about.
 */
import { connect } from 'node:net'
import { Writable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import type { Crawlers, Meta, Performance, SiteOperation, Sources, TopPages } from '#contract/site-api/index.ts'
import { Refusal } from '#refusal.ts'
import { buildHttpServer } from '#surfaces/http/server.ts'
import type { Implementations } from '../../../src/implementation.ts'

export const KEY = 'spoor_site_good'
export const SITE_ID = '3f2504e0-4f89-41d3-9a0c-0305e82c3301'
export const SITE = { id: SITE_ID, account_id: 'a', root_domain: 'example.com', role: 'owner' as const }
export const SLUG = `checkout-${'0123456789abcdef'.repeat(2)}`
const CALLER = { kind: 'site_key', key_id: 'k', user_id: 'u', account_id: 'a', site_ids: null } as const
export const bearer = { authorization: `Bearer ${KEY}` }

export const unknownMeta: Meta = {
  as_of: '2026-03-01T12:00:00.000Z',
  window: { from: '2026-01-31', to: '2026-03-01', timezone: 'UTC' },
  coverage_state: 'unknown',
  purpose_filter: ['search', 'assistant', 'unknown'],
  registry_version: null,
  sources: [],
  data_through: null,
  gaps: [],
}

export const unknownPerformance: Performance = {
  meta: unknownMeta,
  observed_request_count: null,
  daily: [],
  http_outcomes: [],
  observed_by_scope: [],
  observed_by_path_class: [],
  hidden_by_purpose_filter: [],
}

export type Table = Partial<Implementations<SiteOperation, object>>

export const table: Table = {
  listSites: async () => ({ sites: [{ id: SITE_ID, root_domain: 'example.com', role: 'owner' }] }),
  getPerformance: async (_context, input) => ({
    ...unknownPerformance,
    meta: { ...unknownMeta, purpose_filter: input.purpose },
  }),
  getCrawlers: async (): Promise<Crawlers> => ({ meta: unknownMeta, crawlers: [] }),
  getTopPages: async (_context, input): Promise<TopPages> => ({
    meta: unknownMeta,
    limit: input.limit,
    returned_count: 0,
    total_count: null,
    truncated: false,
    pages: [],
  }),
  getSources: async (): Promise<Sources> => ({ sources: [] }),
}

export interface Service {
  app: FastifyInstance
  port: number
  /** Every line that the service logged. */
  log: string[]
  raw(request: string): Promise<string>
}

/** A listening service; `over` replaces implementations. */
export async function startService(
  over: Table = {},
  ready: () => Promise<boolean> = async () => true,
): Promise<Service> {
  const log: string[] = []
  const sink = new Writable({
    write(chunk, _encoding, done) {
      log.push(String(chunk))
      done()
    },
  })
  const app = buildHttpServer({
    implementations: { ...table, ...over },
    authenticate: async (secret) => (secret === KEY ? CALLER : null),
    services: {},
    admit: async ({ subject }, _caller, text) => {
      if (subject !== 'site') return {}
      if (text.toLowerCase() === SITE_ID || text === 'example.com') return { site: SITE }
      throw new Refusal('site_not_found', 'No site of that id or domain is visible to this key.')
    },
    ready,
    logger: pino({ level: 'trace' }, sink),
    support_email: 'support@example.com',
    close_grace_ms: 500,
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const address = app.server.address()
  if (address === null || typeof address === 'string') throw new Error('the service has no port')
  return { app, port: address.port, log, raw: (request) => exchange(address.port, request) }
}

/** Sends bytes as they are and returns everything that came back before the connection ended. */
function exchange(port: number, request: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const socket = connect(port, '127.0.0.1', () => socket.write(request, 'latin1'))
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1')
  })
  socket.on('error', () => resolve(received))
  socket.on('close', () => resolve(received))
  return promise
}

/** Status, headers and JSON body of a raw answer. */
export function parseRaw(answer: string): { status: number; headers: Map<string, string>; body: unknown } {
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const headers = new Map(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  return { status: Number(first.split(' ')[1]), headers, body: body === '' ? null : JSON.parse(body) }
}
