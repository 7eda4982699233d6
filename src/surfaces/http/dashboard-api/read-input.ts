/**
 * The input of operations as the dashboard sends it: of a read in the query, of a change as members of a JSON body;
 * what the APIs have in their paths stands beside the others (decisions 7.1).
 */
import type { FastifyRequest } from 'fastify'
import type { AccountOperation } from '#contract/account-api/index.ts'
import type { HttpOperation, Operation } from '#contract/operation.ts'
import type { ResolvedSubject } from '#implementation.ts'
import { findBodyFaults } from '../../account-api/body-faults.ts'
import { checkSentBody, joinAccountInput, type RequestSubject } from '../../account-api/read-input.ts'
import type { FinderContext } from '../../account-api/refuse-missing.ts'
import { validatorOf } from '../../register-operations.ts'
import { textsOf } from '../../texts-of.ts'
import { findUnstorableText } from '../../unstorable-text.ts'
import { decodeInput, parametersOf } from '../decode-input.ts'
import { RequestProblem } from '../problems.ts'
import { checkBody, checkUrlIsOnSite, readJsonIfAny } from '../read-body.ts'
import { queryOf } from '../request-target.ts'
import { decodeQuery } from './decode-query.ts'
import { DashboardFailure } from './failures.ts'

type Input = Readonly<Record<string, unknown>>

const BODY_LIMIT_BYTES = 256 * 1024
/** Of operations that take a file as text: a registry, a list of addresses, answers of engines. */
const DOCUMENT_LIMIT_BYTES = 16 * 1024 * 1024

/** Changes are POST, and so is what asks other servers. */
export const methodOf = (operation: Operation): 'GET' | 'POST' =>
  operation.effect === 'write' || ('method' in operation && operation.method === 'POST') ? 'POST' : 'GET'

/** What the operation is about, by the names of the contract; empty where it is about no single thing. */
export async function nameSubject(operation: Operation, request: FastifyRequest): Promise<string> {
  const name = operation.subject === 'brand' && 'brandId' in operation.input.properties ? 'brandId' : operation.subject
  if (!['site', 'source', 'token', 'brand', 'brandId'].includes(name)) return ''
  const given =
    methodOf(operation) === 'GET' ? givenOf(request).get(name)?.[0] : (await bodyOf(operation, request))[name]
  if (typeof given === 'string' && given !== '') return given
  throw new DashboardFailure('invalid_input', `${name} is missing.`, [{ path: [name], message: 'It is missing.' }])
}

/** The input of an operation of the site API. */
export async function readSiteInput(
  operation: HttpOperation,
  request: FastifyRequest,
  { site }: ResolvedSubject,
): Promise<Input> {
  const names = Object.keys(operation.params.properties)
  if (methodOf(operation) === 'GET') {
    const given = givenOf(request)
    return decodeInput(operation, firstOf(given, names), queryOf(request.raw.url ?? ''))
  }
  const { site: _named, ...sent } = await bodyOf(operation, request)
  const { params, rest } = split(sent, names)
  const input = decodeInput(operation, textsOf(params), '')
  if (operation.body === undefined) return input
  const body = checkBody(rest, validatorOf(operation.body))
  if (site !== undefined && 'url' in body) checkUrlIsOnSite(body.url, site.root_domain)
  return { ...input, ...body }
}

/** The input of an operation of the account API. */
export async function readBrandInput(
  ctx: FinderContext,
  operation: HttpOperation & { id: AccountOperation['id'] },
  request: FastifyRequest,
  about: RequestSubject,
): Promise<Input> {
  const names = Object.keys(operation.params.properties)
  const nothing = { faults: [] }
  if (methodOf(operation) === 'GET') {
    const given = givenOf(request)
    const parameters = new Map([...given].filter(([name]) => !names.includes(name) && name !== ''))
    const path = checkedPath(operation, firstOf(given, names))
    const parts = { path, given: parameters, key: nothing, body: nothing }
    return joinAccountInput(ctx, operation, parts, about)
  }
  const { params, rest } = split(await bodyOf(operation, request), names)
  const parts = {
    path: checkedPath(operation, textsOf(params)),
    given: new Map(),
    key: nothing,
    body: checkSentBody(operation, rest),
  }
  return joinAccountInput(ctx, operation, parts, about)
}

/** The input of every other operation, whose members are those of its schema. */
export async function readPlainInput(operation: Operation, request: FastifyRequest): Promise<Input> {
  const input =
    methodOf(operation) === 'GET' ? decodeQuery(operation.input, givenOf(request)) : await bodyOf(operation, request)
  refuseFaults(findBodyFaults(validatorOf(operation.input), input))
  return input
}

/** What the account API has in its paths, where ids come in either case. */
function checkedPath({ params }: HttpOperation, texts: Record<string, string>): Record<string, string> {
  const path = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text.toLowerCase()]))
  refuseFaults(findBodyFaults(validatorOf(params), path))
  return path
}

function refuseFaults(faults: ReturnType<typeof findBodyFaults>): void {
  if (faults.length === 0) return
  const named = faults.map(({ path, message }) => `${path.join('.')}: ${message}`).join(' ')
  throw new DashboardFailure('invalid_input', `The input is malformed. ${named}`, faults)
}

const bodies = new WeakMap<FastifyRequest, Promise<Record<string, unknown>>>()

/** Read once, because the subject is looked for before the input is read. */
function bodyOf(operation: Operation, request: FastifyRequest): Promise<Record<string, unknown>> {
  const known = bodies.get(request)
  if (known !== undefined) return known
  const read = readObject(operation, request)
  bodies.set(request, read)
  return read
}

async function readObject(operation: Operation, { raw }: FastifyRequest): Promise<Record<string, unknown>> {
  const limit = 'document' in operation.input.properties ? DOCUMENT_LIMIT_BYTES : BODY_LIMIT_BYTES
  const body = await readJsonIfAny(raw, limit)
  if (body === undefined) return {}
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new RequestProblem('invalid_body', 'The body is not a JSON object.')
  // Files are read by rules of their own, which refuse a line and not the others.
  const { document: _file, ...others } = body as Record<string, unknown>
  const fault = findUnstorableText(others)
  if (fault !== null) refuseFaults([fault])
  return body as Record<string, unknown>
}

const givenOf = ({ raw }: FastifyRequest) => parametersOf(queryOf(raw.url ?? ''))

function firstOf(given: ReadonlyMap<string, readonly string[]>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, given.get(name)?.[0] ?? '']))
}

function split(body: Readonly<Record<string, unknown>>, names: readonly string[]) {
  const entries = Object.entries(body)
  return {
    params: Object.fromEntries(entries.filter(([name]) => names.includes(name))),
    rest: Object.fromEntries(entries.filter(([name]) => !names.includes(name))),
  }
}
