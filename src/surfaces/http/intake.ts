/** `POST /intake/logs` with a source token, and the proofs of ownership for log services (decisions 3.5). */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { wrongSecret } from '#accounts/wrong-secret.ts'
import { quoted } from '#foreign-text.ts'
import { MAX_DECODED_BYTES, tooLarge } from '#intake/batches/decode-batch.ts'
import { DIALECTS, type DialectName } from '#intake/batches/dialects.ts'
import type { Intake } from '#intake/batches/intake.ts'
import type { Deliverer } from '#sources/authenticate-token.ts'
import { sendFailure } from '../register-operations.ts'
import { wordAll } from '../step-words.ts'
import { type BodyRate, checkRate, INTAKE_RATE, tooSlowDetail } from './body-rate.ts'
import { answerToSender, IntakeProblem } from './intake-problems.ts'
import { RequestProblem } from './problems.ts'
import { queryOf } from './request-target.ts'
import { refuseOtherMethods } from './unsupported-methods.ts'

export interface IntakeEndpoint {
  authenticateToken(secret: string): Promise<Deliverer | null>
  receive: Intake['receive']
  now(): number
  /** How slowly a body may arrive; `INTAKE_RATE` by default. */
  rate?: BodyRate
  /** Sees why a batch was answered with a problem. */
  onRefused?: (reason: string) => void
}

const PATH = '/intake/logs'
const FASTLY_CHALLENGE = '/.well-known/fastly/logging/challenge'

/** Registered apart, so that failures are answered in the endpoint's own words. */
export function registerIntake(app: FastifyInstance, endpoint: IntakeEndpoint): void {
  app.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => sendProblem(error, request, reply, endpoint))
    scope.addHook('onRequest', async (request, reply) => echoVerification(request, reply))
    scope.post(PATH, async (request, reply) => {
      if (isEmptyVerification(request)) return reply.type(TEXT).send('ok')
      const deliverer = await authenticate(request.headers, endpoint)
      const delivery = { deliverer, ...readParameters(request) }
      const answer = await endpoint.receive(delivery, () => bodyOf(request.raw, endpoint.rate ?? INTAKE_RATE))
      const worded = { ...answer, warnings: wordAll(answer.warnings) }
      return reply
        .type('application/json; charset=utf-8')
        .send(JSON.stringify({ ...worded, ...firehoseWords(request, endpoint.now()) }))
    })
    // Vercel asks with a GET; everybody else gets the method that works.
    scope.get(PATH, async (request, reply) => {
      if (verificationOf(request) !== null) return reply.type(TEXT).send('ok')
      throw new RequestProblem('method_not_allowed', `${request.method} is not supported here; supported: POST.`, {
        allow: 'POST',
      })
    })
    refuseOtherMethods(scope, PATH, ['POST', 'GET'], 'POST')
    // Every Fastly service may ask to deliver here; without a token none can.
    scope.get(FASTLY_CHALLENGE, async (_request, reply) => reply.type(TEXT).send('*\n'))
    refuseOtherMethods(scope, FASTLY_CHALLENGE, ['GET'])
  })
}

const TEXT = 'text/plain; charset=utf-8'

/** Missing, unknown, revoked and foreign look alike. Amazon Data Firehose can send its key in this one header only. */
async function authenticate(headers: IncomingHttpHeaders, endpoint: IntakeEndpoint): Promise<Deliverer> {
  const bearer = /^bearer +([\w.~+/-]+=*) *$/i.exec(headers.authorization ?? '')?.[1]
  const key = bearer ?? oneOf(headers['x-amz-firehose-access-key'])
  const deliverer = key === undefined ? null : await endpoint.authenticateToken(key)
  if (deliverer !== null) return deliverer
  throw new IntakeProblem(
    'unauthenticated',
    key === undefined
      ? 'Authorization is missing or of another scheme; send "Authorization: Bearer <source token>".'
      : (wrongSecret(key, 'spoor_src_') ??
          'The token is unrecognized or revoked; send a source token (spoor_src_…) that is in force.'),
  )
}

function readParameters({ raw, headers }: FastifyRequest) {
  const query = new URLSearchParams(queryOf(raw.url ?? ''))
  checkEncoding(headers['content-encoding'])
  if (Number(headers['content-length']) > MAX_DECODED_BYTES) throw tooLarge()
  return {
    dialect: readDialect(once(query, 'dialect')),
    fields: readFields(once(query, 'fields')),
    sender: readHeader(headers, 'x-spoor-sender', /^[!-~]{1,64}$/, '1 to 64 printable ASCII characters without blanks'),
    idempotency_key: readHeader(headers, 'idempotency-key', /^[ -~]{1,255}$/, '1 to 255 printable ASCII characters'),
  }
}

/** @throws IntakeProblem invalid_parameter: it is given twice. */
function once(query: URLSearchParams, name: string): string | null {
  const values = query.getAll(name)
  if (values.length > 1) {
    throw new IntakeProblem('invalid_parameter', `${name} is given ${values.length} times; give it once.`)
  }
  return values[0] ?? null
}

function readDialect(given: string | null): DialectName | null {
  if (given === null) return null
  const found = DIALECTS.find((name) => name === given)
  if (found !== undefined) return found
  throw new IntakeProblem(
    'invalid_parameter',
    `dialect is ${quoted(given)}; allowed is one of ${DIALECTS.join(', ')}, or none for generic records.`,
  )
}

function readFields(given: string | null): string[] | null {
  if (given === null) return null
  const fields = given.split(',').map((name) => name.trim().toLowerCase())
  if (fields.length <= MAX_FIELDS && fields.every((name) => /^[a-z0-9()_-]{1,64}$/.test(name))) return fields
  throw new IntakeProblem(
    'invalid_parameter',
    `fields is ${quoted(given)}; allowed are at most ${MAX_FIELDS} column names, separated by commas, as the log configuration lists them.`,
  )
}

const MAX_FIELDS = 100

/** What the body really is, its first bytes say; only what cannot be read at all is refused here. */
function checkEncoding(given: string | undefined): void {
  const encoding = (given ?? 'identity').trim().toLowerCase()
  if (['', 'identity', 'gzip', 'x-gzip', 'zstd'].includes(encoding)) return
  throw new IntakeProblem(
    'unsupported_encoding',
    `Content-Encoding is ${quoted(encoding)}; allowed are gzip, zstd and none.`,
  )
}

function readHeader(headers: IncomingHttpHeaders, name: string, form: RegExp, allowed: string): string | null {
  const given = oneOf(headers[name])
  if (given === undefined) return null
  if (form.test(given)) return given
  throw new IntakeProblem('invalid_parameter', `The header ${name} is ${quoted(given)}; allowed are ${allowed}.`)
}

function oneOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join(', ') : header
}

/** The request's body as a stream that may be left half read: the rest is then read and thrown away. */
function bodyOf(request: IncomingMessage, rate: BodyRate): PassThrough {
  const body = new PassThrough()
  const slow = () => body.destroy(new IntakeProblem('too_slow', tooSlowDetail(rate)))
  const stopRateCheck = checkRate(request, rate, slow, () => !body.writableNeedDrain)
  const broken = () =>
    body.destroy(new IntakeProblem('not_readable', 'The body broke off before its end. Nothing was stored.'))
  request.once('error', broken)
  request.once('aborted', broken)
  body.once('error', () => {})
  // TRICKY: a sender that has already gone emits no further event, so its place would never become free.
  if (request.destroyed) broken()
  body.once('close', () => {
    stopRateCheck()
    request.unpipe(body)
    request.resume()
  })
  return request.pipe(body)
}

/** The code by which Vercel knows that its owner set up this address: from the drain's own header, or from its URL. */
function verificationOf({ headers, raw }: FastifyRequest): string | null {
  const given = oneOf(headers['x-vercel-verify']) ?? new URLSearchParams(queryOf(raw.url ?? '')).get('vercel_verify')
  return typeof given === 'string' && /^[\w-]{1,128}$/.test(given) ? given : null
}

function echoVerification(request: FastifyRequest, reply: FastifyReply): void {
  const code = verificationOf(request)
  if (code !== null) reply.header('x-vercel-verify', code)
}

function isEmptyVerification(request: FastifyRequest): boolean {
  return verificationOf(request) !== null && request.headers['content-length'] === '0'
}

/** Amazon Data Firehose takes an answer for a success only when it names the request. */
function firehoseWords({ headers }: FastifyRequest, now: number): { requestId?: string; timestamp?: number } {
  const requestId = oneOf(headers['x-amz-firehose-request-id'])
  return requestId === undefined ? {} : { requestId, timestamp: now }
}

function sendProblem(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  endpoint: IntakeEndpoint,
): FastifyReply {
  const failure = answerToSender(error)
  if (request.method === 'POST') endpoint.onRefused?.(failure.reason)
  return sendFailure(request, reply, error, failure)
}
