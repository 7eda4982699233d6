/** What the scenarios of generated requests share: sending one, inputs by schema, and what the service knows. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { Compile } from 'typebox/compile'
import { accountApiOperations } from '#contract/account-api/index.ts'
import { dashboardOperations } from '#contract/dashboard-api/index.ts'
import { managementOperations } from '#contract/management-api/index.ts'
import type { HttpOperation, Operation } from '#contract/operation.ts'
import { SITE } from '#demo/stories.ts'
import { methodOf } from '#surfaces/http/dashboard-api/read-input.ts'
import { arbitraryOf, junk, type Schema } from '../../test/operations/from-schema.ts'
import { check, type Round } from './scenario.ts'
import type { Attacked } from './under-attack.ts'

/** Requests per operation or tool. */
export const REQUESTS = Number(process.env.GENERATED_REQUESTS ?? 40)
/** These would end the harness's own access or delete its sites, so they are sent for things that do not exist. */
export const HARMFUL =
  /^(user|account|member|key|token)\.|^site\.(remove|rename|retention)$|^(revokeSiteKey|inviteMember)$/

export interface SentInput {
  method: string
  path: string
  headers: Record<string, string>
  body?: string
}

/** Sends the requests of one API; returns how many operations or tools it has. */
export type Ask = (attacked: Attacked, round: Round, send: (asked: SentInput) => Promise<Answer>) => Promise<number>

export interface Answer {
  status: number
  text: string
  body: Record<string, unknown>
}

export async function sendOne(
  { service, client }: Attacked,
  { method, path, headers, body }: SentInput,
): Promise<Answer> {
  client.judge()
  const init = { method, headers, ...(body === undefined ? {} : { body }), signal: AbortSignal.timeout(60_000) }
  const response = await fetch(service.url + path, init)
  const text = await response.text()
  const said = `${method} ${path} ${body ?? ''}`.slice(0, 2_000)
  // Other servers cannot be reached, and this is the form of that refusal.
  const is_away = response.status === 503 && text.includes('"code":"reader_unavailable"')
  check(response.status < 500 || is_away, `${said} answered ${response.status} ${text.slice(0, 500)}`)
  if (!/json/.test(response.headers.get('content-type') ?? '')) return { status: response.status, text, body: {} }
  return { status: response.status, text, body: JSON.parse(text) as Record<string, unknown> }
}

/** Values of an arbitrary, the same for the same seed. */
export const sample = <T>(arbitrary: fc.Arbitrary<T>, { seed }: Round): T[] =>
  fc.sample(arbitrary, { numRuns: REQUESTS, seed })

export const encode = (given: unknown): string =>
  encodeURIComponent((typeof given === 'object' ? JSON.stringify(given) : String(given)).toWellFormed())

/** An input of a schema, in which names are those of existing things. */
export function inputOf(schema: unknown, known: Known): fc.Arbitrary<Record<string, unknown>> {
  const { properties = {}, required = [] } = JSON.parse(JSON.stringify(schema)) as Schema
  const members = Object.fromEntries(
    Object.entries(properties).map(([name, of]) => [
      name,
      fc.oneof(
        { weight: 5, arbitrary: known(name, of) },
        { weight: 2, arbitrary: arbitraryOf(of, {}) },
        { weight: 1, arbitrary: junk },
      ),
    ]),
  )
  const whole = fc.record(members, { requiredKeys: [...required] })
  return fc.oneof({ weight: 6, arbitrary: whole }, fc.record(members, { requiredKeys: [] })) as fc.Arbitrary<
    Record<string, unknown>
  >
}

export type Known = (name: string, of: Schema) => fc.Arbitrary<unknown>

export const ofNothing: Known = (_name, of) => arbitraryOf(of, {})

/** Sites and brands for the fields of the contract, and other texts from the service's own answers. */
export function knownOf({ installed }: Attacked, pool: readonly string[]): Known {
  const { demo_id, brand_id } = installed.secrets
  const named: Record<string, readonly unknown[]> = {
    site: [demo_id, SITE],
    brandId: [brand_id],
    brand: [brand_id],
    funnel: pool,
    issue: pool,
    window: ['7d', '30d', '90d'],
    crawler_id: ['gptbot', 'googlebot'],
    format: ['json', 'csv'],
    typed_name: [SITE],
  }
  return (name, of) => {
    const values = named[name]
    if (values !== undefined && values.length > 0) return fc.constantFrom(...values)
    if (of.type === 'string' && of.enum === undefined && pool.length > 0) {
      return fc.oneof(fc.constantFrom(...pool), arbitraryOf(of, {}))
    }
    return arbitraryOf(of, {})
  }
}

export function checkOutput({ id, output }: Pick<Operation, 'id' | 'output'>, body: unknown, asked: string): void {
  const compiled = compiledOutputs.get(id) ?? Compile(output)
  compiledOutputs.set(id, compiled)
  const [error] = compiled.Errors(body)
  check(error === undefined, `${asked} answered what its contract does not know: ${JSON.stringify(error)}`)
}

export const compiledOutputs = new Map<string, ReturnType<typeof Compile>>()

/** Path, query and body of an operation of one of the two public APIs. */
export function requestOf(operation: HttpOperation, input: Record<string, unknown>): Pick<SentInput, 'path' | 'body'> {
  const target = operation.path.replace(/\{(\w+)\}/g, (_all, name: string) => encode(input[name] ?? 'x') || 'x')
  const query = Object.entries(input).filter(([name]) => name in operation.query.properties)
  const body = Object.fromEntries(Object.entries(input).filter(([name]) => name in (operation.body?.properties ?? {})))
  return {
    path: `${target}?${query.map((pair) => pair.map(encode).join('=')).join('&')}`,
    ...(operation.method === 'GET' ? {} : { body: JSON.stringify(body) }),
  }
}
export function dashboardRequest(
  { service, installed }: Attacked,
  operation: Operation,
  input: Record<string, unknown>,
): SentInput {
  const headers = {
    cookie: `spoor_session=${installed.secrets.session}`,
    origin: service.url,
    'content-type': 'application/json',
  }
  const path = `/dashboard-api/${operation.id}`
  if (methodOf(operation) === 'POST') return { method: 'POST', path, headers, body: JSON.stringify(input) }
  const query = Object.entries(input).map((pair) => pair.map(encode).join('='))
  return { method: 'GET', path: `${path}?${query.join('&')}`, headers }
}
/** Ids, slugs and prefixes of the demo's site and brand, as lists of the dashboard show them. */
export async function poolOf(attacked: Attacked, send: (asked: SentInput) => Promise<Answer>): Promise<string[]> {
  const { demo_id, brand_id, honest_id } = attacked.installed.secrets
  const lists = [...managementOperations, ...dashboardOperations, ...accountApiOperations].filter(
    ({ id, effect }) => effect === 'read' && !HARMFUL.test(id),
  )
  const pool = new Set<string>()
  for (const operation of lists) {
    const input = { site: demo_id, brand: brand_id, brandId: brand_id, window: '30d' }
    const given = Object.fromEntries(Object.entries(input).filter(([name]) => name in operation.input.properties))
    const { status, text } = await send(dashboardRequest(attacked, operation, given))
    if (status !== 200) continue
    for (const [, value] of text.matchAll(/"(?:id|slug|prefix|crawler_id|path|host|key)":"([^"\\]{1,200})"/g))
      pool.add(String(value))
  }
  pool.delete(honest_id)
  return [...pool]
}

/** The service may be writing in the same file. */
const LOCK_WAIT_MS = 10_000

/** The hourly and monthly limits would refuse most of the requests. */
export function forgetQuotas({ installed }: Attacked): void {
  const quotas = new DatabaseSync(join(installed.data, 'quotas.sqlite'), { timeout: LOCK_WAIT_MS })
  try {
    quotas.exec('DELETE FROM quotas')
  } finally {
    quotas.close()
  }
}
