/** `POST /mcp`: who asks, how often, and what the protocol answers (account API 6). */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refuseClosedAccount } from '#accounts/account-access.ts'
import type { AccountTokenCaller } from '#accounts/caller.ts'
import { type Clock, MINUTE_MS } from '#clock.ts'
import { memberAt } from '#json-members.ts'
import { readTokenCaller } from '../account-api/account-api.ts'
import { AccountFailure } from '../account-api/failures.ts'
import { ownOrigins } from '../http/dashboard-api/own-origin.ts'
import { readJson } from '../http/read-body.ts'
import { refuseOtherMethods } from '../http/unsupported-methods.ts'
import { sendFailure } from '../register-operations.ts'
import { type Attempts, countAttempts } from './attempts.ts'
import type { McpCall, ToolTables } from './call-tool.ts'
import { describeHttpFailure } from './http-failures.ts'
import type { Protocol } from './protocol.ts'
import { TOOLS } from './tools.ts'

export interface McpOptions<Services> {
  tables: ToolTables<Services>
  clock: Clock
  /** Our own origin; null: not configured. */
  public_url: string | null
  support_email: string | null
}

const MCP_URL = '/mcp'
const HTTP_PORT = 80
const BODY_LIMIT_BYTES = 256 * 1024
/** Of messages that no quota counts, by token. */
const FREE = { most: 600, window_ms: MINUTE_MS }

/** Serves the tools at `/mcp`. */
export function registerMcp<Services>(app: FastifyInstance, options: McpOptions<Services>): void {
  const callers = new WeakMap<FastifyRequest, AccountTokenCaller>()
  const free = countAttempts(options.clock, FREE)
  let loaded: Promise<Protocol> | undefined
  const load = async () => {
    const { createProtocol } = await import('./protocol.ts')
    const onError = (error: Error) => app.log.debug({ err: error }, 'a message of MCP was refused')
    return createProtocol(options.tables, options.support_email, onError)
  }
  app.addHook('onClose', async () => (await loaded)?.close())
  app.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => sendFailure(request, reply, error, describeHttpFailure(error)))
    scope.route({
      method: 'POST',
      url: MCP_URL,
      onRequest: async (request) => {
        refuseForeignOrigin(app, options.public_url, request.headers.origin)
        const caller = await readTokenCaller(options.tables.account, request.headers.authorization)
        refuseClosedAccount(caller.account, options.clock)
        callers.set(request, caller)
      },
      handler: async (request, reply) => {
        const caller = callers.get(request)
        if (caller === undefined) throw new Error('a request was answered before its caller was known')
        const message = await readJson(request.raw, BODY_LIMIT_BYTES)
        const messages = Array.isArray(message) ? message : [message]
        const calls = messages.filter(callsTool).length
        countFree(free, caller, messages.length - calls)
        const call: McpCall = {
          caller,
          headers: {},
          is_reached: false,
          onBug: (err, operation) => request.log.error({ err, operation }, 'request failed'),
        }
        loaded ??= load()
        const response = await (await loaded).answer(webRequest(request), message, call)
        // The protocol has refused them, so no quota has counted them.
        if (!call.is_reached) countFree(free, caller, calls)
        const type = response.headers.get('content-type')
        reply.code(response.status).headers(call.headers)
        if (type !== null) reply.type(type)
        return reply.send(Buffer.from(await response.arrayBuffer()))
      },
    })
    refuseOtherMethods(scope, MCP_URL, ['POST'])
  })
}

/**
 * Programs send no `Origin`; what a page of another one makes a browser send is refused.
 * @throws AccountFailure forbidden.
 */
function refuseForeignOrigin({ server }: FastifyInstance, public_url: string | null, origin: string | undefined): void {
  if (origin === undefined) return
  const address = server.address()
  const { origins } = ownOrigins(public_url, typeof address === 'object' && address !== null ? address.port : HTTP_PORT)
  if (origins.includes(origin.toLowerCase())) return
  throw new AccountFailure('forbidden', `Pages of other origins may not use MCP; ours are ${origins.join(', ')}.`)
}

/** Messages that reach no tool are free, within bounds. @throws AccountFailure rate_limited. */
function countFree(free: Attempts, { token_id }: AccountTokenCaller, messages: number): void {
  for (let counted = 0; counted < Math.min(messages, FREE.most); counted++) {
    const seconds = free.refuse(token_id)
    if (seconds === null) continue
    throw new AccountFailure(
      'rate_limited',
      `More than ${FREE.most} messages in a minute that call no tool. Try again in ${seconds} seconds.`,
      { headers: { 'retry-after': String(seconds) } },
    )
  }
}

/**
 * Whether a message may reach a tool, where the quota counts it: one without an id, or with arguments of another form,
 * does not.
 */
function callsTool(message: unknown): boolean {
  const id = memberAt(message, 'id')
  const is_request = typeof id === 'string' || Number.isInteger(id)
  if (!is_request || memberAt(message, 'method') !== 'tools/call') return false
  const given = memberAt(message, 'params', 'arguments')
  const is_object = typeof given === 'object' && given !== null && !Array.isArray(given)
  return (given === undefined || is_object) && TOOLS.some(({ name }) => name === memberAt(message, 'params', 'name'))
}

/** The request as the protocol reads it: the headers of MCP, and none that says who asks. */
function webRequest({ headers }: FastifyRequest): Request {
  const own = Object.entries(headers).filter(([name]) => name.startsWith('mcp-'))
  return new Request(`http://localhost${MCP_URL}`, {
    method: 'POST',
    headers: {
      ...Object.fromEntries(own.map(([name, value]) => [name, String(value)])),
      'content-type': 'application/json',
      // Every answer is JSON, also for clients that do not ask for a stream.
      accept: 'application/json, text/event-stream',
    },
  })
}
