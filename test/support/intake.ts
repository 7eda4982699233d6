/** A service with one site, one intake source and its token, and a sender that speaks HTTP. */
import Type from 'typebox'
import { count, rows } from '#evidence/sql.ts'
import type { IntakeAnswer } from '#intake/batches/batch-answer.ts'
import type { Site } from '#sites/site.ts'
import { addIntakeSource } from '#sources/sources.ts'
import { type Answer, openTestService, type TestService } from './service.ts'

export const GPTBOT =
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)'
export const PERSON =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'

export interface SendOptions {
  token?: string | null
  headers?: Record<string, string>
  query?: string
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'OPTIONS' | 'HEAD'
}

export interface StoredFact {
  event: string
  at: string
  host: string
  path: string
  status: number
  status_raw: number
  method: string
  user_agent: string
  requests: number
}

export interface TestIntake {
  service: TestService
  site: Site
  source_id: string
  token: string
  /** Posts a body as it is. */
  post(body: string | Buffer, options?: SendOptions): Promise<Answer>
  /** Posts records as NDJSON and expects 200. */
  send(records: readonly unknown[], options?: SendOptions): Promise<IntakeAnswer>
  /** What is stored now, by instant and path. */
  facts(): Promise<StoredFact[]>
  close(): Promise<void>
}

/** On a service of its own, unless one is given: that one stays open when this is closed. */
export async function openTestIntake(given: string | TestService = '2026-03-10T12:00:00Z'): Promise<TestIntake> {
  const service = typeof given === 'string' ? await openTestService(given) : given
  const site = await service.addSite('example.com')
  const { source, token } = await addIntakeSource(service.installation.operator, { site_id: site.id, name: 'web1' })
  await service.createKey()
  const post = (body: string | Buffer, options: SendOptions = {}) =>
    service.ask(`/intake/logs${options.query ?? ''}`, {
      key: options.token === undefined ? token.secret : options.token,
      method: options.method ?? 'POST',
      body,
      headers: options.headers ?? {},
    })
  return {
    service,
    site,
    source_id: source.id,
    token: token.secret,
    post,
    async send(records, options) {
      const answer = await post(records.map((record) => `${JSON.stringify(record)}\n`).join(''), options)
      if (answer.status !== 200) throw new Error(`answered ${answer.status}: ${answer.text}`)
      return answer.json as unknown as IntakeAnswer
    },
    facts: () => service.crawlers.evidence.all(storedFacts),
    close: async () => (typeof given === 'string' ? service.close() : undefined),
  }
}

/** A good record; the clock of `openTestIntake` stands a minute later. */
export function visit(given: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    timestamp: '2026-03-10T11:59:00Z',
    host: 'example.com',
    path: '/',
    method: 'GET',
    status: 200,
    user_agent: GPTBOT,
    ip: '192.0.2.1',
    ...given,
  }
}

const storedFacts = rows(
  Type.Object({
    event: Type.String(),
    at: Type.String(),
    host: Type.String(),
    path: Type.String(),
    status: Type.Integer(),
    status_raw: Type.Integer(),
    method: Type.String(),
    user_agent: Type.String(),
    requests: count(),
  }),
)`
  SELECT toString(event) AS event, toString(at) AS at, toString(host) AS host, path, status, status_raw, toString(method) AS method,
    toString(user_agent) AS user_agent, requests
  FROM spoor.requests FINAL ORDER BY at, path, event`
