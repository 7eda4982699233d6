/** Surface A as a table: each operation of the contract becomes a route that applies the checks in their order (rules 1). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Compile, type Validator } from 'typebox/compile'
import { type OutputOf, addressesSite, type InputOf, type HttpOperation } from '#contract/operation.ts'
import { operations, type SiteOperation, type SiteOperationId } from '#contract/site-api/index.ts'
import { Refusal } from '#refusal.ts'
import type { JsonObject } from '../csv/listed.ts'
import { renderCsv } from '../csv/render.ts'
import { authenticate, type Caller } from './authenticate.ts'
import { type DecodedInput, decodeInput } from './decode-input.ts'
import { refuseOtherMethods } from './methods.ts'
import { checkUrlIsOnSite, readBody } from './read-body.ts'
import { queryOf } from './request-target.ts'

type AddressesSite<O extends SiteOperation> = O['path'] extends `${string}{site}${string}` ? true : false

/** What answers each operation that is built: it knows neither HTTP nor status codes. */
export type Implementations<SiteContext, ListContext> = {
  readonly [O in SiteOperation as O['id']]?: (
    context: AddressesSite<O> extends true ? SiteContext : ListContext,
    input: InputOf<O>,
  ) => Promise<OutputOf<O>>
}

/** The domain as surface A needs it. */
export interface SiteApi<Site extends { root_domain: string }, SiteContext, ListContext> {
  implementations: Implementations<SiteContext, ListContext>
  /** The caller of a site key, or null when it is unknown, revoked, of another kind or of a suspended account. */
  authenticate(bearer: string): Promise<Caller | null>
  /** The site that the path names by id or root domain; throws Refusal('site_not_found') unless the caller sees it. */
  findSite(caller: Caller, text: string): Promise<Site>
  context(site: Site, caller: Caller): SiteContext | Promise<SiteContext>
  listContext(caller: Caller): ListContext | Promise<ListContext>
}

/** What checks 4 to 6 found out, kept until the answer is made. */
interface Admission<Site> {
  caller: Caller
  site: Site | null
}

/** Registers every operation, built or not, and 405 for every other method of its path. */
export function registerSiteApi<Site extends { root_domain: string }, SiteContext, ListContext>(
  app: FastifyInstance,
  api: SiteApi<Site, SiteContext, ListContext>,
): void {
  const methods = new Map<string, string[]>()
  for (const operation of operations) {
    const url = operation.path.replace(/\{(\w+)\}/g, ':$1')
    registerOperation(app, api, operation, url)
    methods.set(url, [...(methods.get(url) ?? []), operation.method])
  }
  for (const [url, supported] of methods) refuseOtherMethods(app, url, supported)
}

function registerOperation<Site extends { root_domain: string }, SiteContext, ListContext>(
  app: FastifyInstance,
  api: SiteApi<Site, SiteContext, ListContext>,
  operation: HttpOperation & { id: SiteOperationId },
  url: string,
): void {
  const answers = Compile(operation.output)
  const bodies = operation.body === undefined ? null : Compile(operation.body)
  const implementation = implementationOf(api, operation.id)
  const admissions = new WeakMap<FastifyRequest, Admission<Site>>()

  const admit = async (request: FastifyRequest): Promise<void> => {
    const caller = await authenticate(request.headers.authorization, (bearer) => api.authenticate(bearer))
    const { site } = request.params as Record<string, string>
    admissions.set(request, { caller, site: addressesSite(operation) ? await api.findSite(caller, site ?? '') : null })
  }

  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<string> => {
    const admission = admissions.get(request)
    if (admission === undefined) throw new Error('answered a request that was never admitted')
    const { caller, site } = admission
    const input = await readInput(operation, request, bodies, site)
    if (implementation === null) throw unbuilt(operation)
    const context = site === null ? await api.listContext(caller) : await api.context(site, caller)
    const value = await implementation(context, input)
    const checked = checkAnswer(operation, answers, value)
    if (input.format === 'csv') {
      const csv = renderCsv(operation.id, checked)
      reply.type('text/csv; charset=utf-8')
      return csv
    }
    reply.type('application/json; charset=utf-8')
    return JSON.stringify(checked)
  }

  // Key and site are checked before Fastify looks at the body, so that a stranger learns nothing from a 400.
  app.route({ method: operation.method, url, config: { operation }, onRequest: admit, handler: answer })
}

async function readInput(
  operation: HttpOperation,
  request: FastifyRequest,
  bodies: Validator | null,
  site: { root_domain: string } | null,
): Promise<DecodedInput> {
  const input = decodeInput(operation, request.params as Record<string, string>, queryOf(request.raw.url ?? ''))
  if (bodies === null) return input
  const body = await readBody(request.raw, bodies)
  if (site !== null && 'url' in body) checkUrlIsOnSite(body.url, site.root_domain)
  return { ...input, ...body }
}

/** TRICKY: a serialiser that knows the schema writes null as 0; this only checks, and what is there is written (test: "null stays null"). */
function checkAnswer(operation: HttpOperation, answers: Validator, value: unknown): JsonObject {
  if (answers.Check(value)) return value as JsonObject
  const faults = answers.Errors(value).slice(0, 5)
  const places = faults.map((fault) => `${fault.instancePath === '' ? '/' : fault.instancePath} ${fault.message}`)
  throw new Error(`the answer of ${operation.id} violates its contract: ${places.join('; ')}`)
}

function unbuilt(operation: HttpOperation): Refusal {
  if (operation.unavailable_title !== undefined) {
    return new Refusal('reader_unavailable', 'This reader is not built yet; no evidence is lost by that.')
  }
  return new Refusal('not_built', `${operation.id} is not built yet in this version of the service.`)
}

/** The one place where an operation's exact types are given up: contract checks stand on both sides of the call. */
function implementationOf<Site extends { root_domain: string }, SiteContext, ListContext>(
  api: SiteApi<Site, SiteContext, ListContext>,
  id: SiteOperationId,
): ((context: unknown, input: unknown) => Promise<unknown>) | null {
  const implementation: unknown = api.implementations[id]
  return typeof implementation === 'function' ? async (context, input) => implementation(context, input) : null
}
