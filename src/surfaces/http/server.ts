/** The HTTP server: surface A, its description, and health. Every failure is a problem (spec 7.1, RFC 9457). */
import { randomUUID } from 'node:crypto'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { type AccountApi, registerAccountApi } from '../account-api/account-api.ts'
import { answerToAccountApi } from '../account-api/failures.ts'
import { registerMcp } from '../mcp/mcp.ts'
import { type DescribedFailure, sendFailure } from '../register-operations.ts'
import { repeatedHeader, repeatedHeaderDetail } from '../repeated-headers.ts'
import { answerBrokenRequest, closeNodesOwnAnswers } from './broken-requests.ts'
import { type ConnectionLimits, connectionLimits, HEADERS_TIMEOUT_MS, limitConnections } from './connections.ts'
import { registerHealth } from './health.ts'
import { answerTo, RequestProblem } from './problems.ts'
import { registerReference } from './reference/reference.ts'
import { checkTarget, legiblePath } from './request-target.ts'
import { SAFE_HEADERS } from './safe-headers.ts'
import { registerSiteApi, type SiteApi, unbuilt } from './site-api.ts'
import { joinOtherMethods, writtenMethod } from './unsupported-methods.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Asked so often that its answers are logged at debug level only. */
    is_frequent?: boolean
  }
}

export interface HttpServerOptions<Services> extends SiteApi<Services> {
  /** Surface B; left out, its paths are unknown. */
  account_api?: AccountApi
  /** Our own origin where it is configured: its pages may use MCP. */
  public_url?: string | null
  /** Whether the service can do its work (`health/ready.ts`). A rejection counts as no. */
  ready(): Promise<boolean>
  /** Receives methods, operations and statuses; never a key, an address of a client, or a URL. */
  logger: FastifyBaseLogger
  /** Stands in the OpenAPI document's contact (spec 9.7). */
  support_email: string | null
  /** After this, requests still running at a stop are cut off; 4,000 by default, so that a stop takes less than 5 s. */
  close_grace_ms?: number
  /** How many connections there may be; what the machine allows by default. */
  connections?: ConnectionLimits
  /** Called for every answer to a request that could be read; operation null: none of the contract. */
  onAnswered?: (seen: { operation: string | null; status: number; seconds: number }) => void
}

/** URL and headers together. Large enough that a URL of 40 KiB still reaches a check that can explain itself. */
const HEADER_LIMIT_BYTES = 128 * 1024
/** A key or site longer than this names nothing; Fastify's own limit of 100 would refuse valid domains (rules 1). */
const PARAMETER_LIMIT = 300
const REQUEST_TIMEOUT_MS = 120_000
/** How late a connection that takes too long may be closed. */
const CHECK_TIMEOUTS_MS = 5_000
const CLOSE_GRACE_MS = 4_000

/** Builds the server without listening. `close()` refuses connections and lets requests end within the grace. */
export function buildHttpServer<Services>(options: HttpServerOptions<Services>): FastifyInstance {
  const app: FastifyInstance = Fastify({
    loggerInstance: options.logger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    genReqId: () => randomUUID(),
    requestTimeout: REQUEST_TIMEOUT_MS,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: PARAMETER_LIMIT },
    // All that comes before the router, which offers no other way in.
    rewriteUrl: (request) => {
      joinOtherMethods(request)
      const url = request.url ?? ''
      // Surface B says of such a path who asks and what is wrong with the id, in the order of its checks (account
      // API 1).
      return isOfAccountApi({ raw: request }) ? legiblePath(url, PARAMETER_LIMIT) : url
    },
    http: {
      maxHeaderSize: HEADER_LIMIT_BYTES,
      requireHostHeader: false,
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_TIMEOUTS_MS,
    },
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: (error, request, reply) => {
      identify(request, reply)
      const detail =
        error.code === 'FST_ERR_MAX_PARAM_LENGTH'
          ? `A segment of the path is longer than ${PARAMETER_LIMIT} characters, the most that is allowed.`
          : 'The path is not valid percent-encoded UTF-8.'
      return sendFailure(
        request,
        reply,
        error,
        describeOutside(new RequestProblem('malformed_request', detail), request),
      )
    },
  })
  closeNodesOwnAnswers(app.server)
  // Once all routes are there: collection answers some requests before the listeners that were there first.
  app.addHook('onReady', async () =>
    limitConnections(app.server, options.logger, options.connections ?? connectionLimits()),
  )
  checkFirst(app)
  app.setErrorHandler((error, request, reply) => sendFailure(request, reply, error, describeOutside(error, request)))
  logAnswers(app, options.onAnswered)
  stopInTime(app, options.close_grace_ms ?? CLOSE_GRACE_MS)
  // Bodies are read by the operations that have one, by rules of their own.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  leaveContentTypeToReaders(app)
  registerHealth(app, () => options.ready())
  registerReference(app, {
    support_email: options.support_email,
    has_deprecated_routes: options.account_api?.has_deprecated_routes ?? true,
  })
  registerSiteApi(app, options)
  if (options.account_api !== undefined) {
    registerAccountApi(app, options.account_api)
    registerMcp(app, {
      support_email: options.support_email,
      public_url: options.public_url ?? null,
      clock: options.account_api.services.clock,
      tables: { account: options.account_api, site: { ...options, unbuilt } },
    })
  }
  return app
}

/** Steps 1 and 2 of the order, before any route's own hooks and before any body is looked at (rules 1). */
function checkFirst(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    identify(request, reply)
    const is_of_account_api = isOfAccountApi(request)
    // On surface B a missing path is reported first, and the target is checked with the parameters (account
    // API 1).
    if (!is_of_account_api) checkTarget(request.raw.url ?? '')
    else if (isUnknownPath(request)) throw new RequestProblem('path_not_found', 'No such path.')
    const repeated = repeatedHeader(request.raw)
    if (repeated !== null) throw new RequestProblem('malformed_request', repeatedHeaderDetail(repeated))
    if (request.raw.httpVersion === '1.1' && request.headers.host === undefined) {
      throw new RequestProblem('malformed_request', 'The Host header is missing.')
    }
    if (isUnknownPath(request)) throw new RequestProblem('path_not_found', noSuchPath(request.raw.url ?? ''))
  })
}

/**
 * TRICKY: the router takes nothing at all for a segment that names something, so that `/brands/` would be a brand
 * without an id (test: "is an unknown path").
 */
const isUnknownPath = ({ is404, params }: FastifyRequest): boolean =>
  is404 || Object.entries(params as Record<string, string>).some(([name, value]) => name !== '*' && value === '')

const noSuchPath = (target: string): string =>
  target.startsWith('/v1/')
    ? 'No such path; /v1/openapi.json lists all of them.'
    : 'No such path; /docs lists those of the APIs.'

/** Content types that the framework certainly accepts. Nearly all requests have one and need no further check. */
const PLAIN_CONTENT_TYPE = /^[a-z]+\/[a-z-]+(?:; ?charset=utf-8)?$/i

/**
 * TRICKY: the framework refuses a malformed content type itself, with an error that no surface knows. So it sees a
 * valid one that no reader takes; readers judge the one of the raw request (test: "malformed content type").
 */
function leaveContentTypeToReaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const given = request.raw.headers['content-type']
    if (given !== undefined && !PLAIN_CONTENT_TYPE.test(given))
      request.headers = { 'content-type': 'application/x-unread' }
    done()
  })
}

/** Failures of requests without an operation, in the form of the surface that owns the path. */
function describeOutside(error: unknown, request: FastifyRequest): DescribedFailure {
  return isOfAccountApi(request) ? answerToAccountApi(error) : answerTo(error, null)
}

const isOfAccountApi = ({ raw }: { raw: { url?: string | undefined } }): boolean =>
  /^(?:https?:\/\/[^/]+)?\/api\/v1(?:[/?]|$)/i.test(raw.url ?? '')

function logAnswers(app: FastifyInstance, onAnswered: HttpServerOptions<never>['onAnswered'] = () => {}): void {
  app.addHook('onResponse', async (request, reply) => {
    const operation = request.routeOptions.config?.operation?.id ?? null
    const milliseconds = Math.round(reply.elapsedTime)
    const level = request.routeOptions.config?.is_frequent === true ? 'debug' : 'info'
    request.log[level](
      { operation, method: writtenMethod(request), status: reply.statusCode, milliseconds },
      'answered',
    )
    onAnswered({ operation, status: reply.statusCode, seconds: reply.elapsedTime / 1_000 })
  })
}

/** TRICKY: a forced close cuts answers in half, a gentle one waits for every kept connection (test: "a stop"). */
function stopInTime(app: FastifyInstance, grace_ms: number): void {
  let is_closing = false
  app.addHook('preClose', async () => {
    is_closing = true
    setTimeout(() => app.server.closeAllConnections(), grace_ms).unref()
  })
  app.addHook('onSend', async (_request, reply) => {
    if (is_closing) reply.header('connection', 'close')
  })
}

/** Sets the headers of every answer, also of failures. */
function identify(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers({ 'x-request-id': request.id, ...SAFE_HEADERS })
}
