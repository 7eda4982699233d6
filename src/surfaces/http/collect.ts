/** The tracker's endpoints: `POST /collect`, `POST /collect/server` for servers, `GET /spoor.js` (decisions 5). */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Network } from '#networks.ts'
import type { Collector } from '#tracker/collection/collector.ts'
import type { CollectAnswer } from '#tracker/collection/receive-events.ts'
import { repeatedHeader } from '../repeated-headers.ts'
import { wordAll, wordsOfCollection } from '../step-words.ts'
import { type BodyPlaceLimits, openBodyPlaces } from './body-places.ts'
import { type BodyRate, COLLECT_RATE } from './body-rate.ts'
import { answerToCollect } from './collect-problems.ts'
import { type BodyLimits, bearerOf, openBrowserReader, readBytes } from './collect-request.ts'
import { SAFE_HEADERS } from './safe-headers.ts'
import { keyInUrl, readScript, type SpoorScript, sendScript } from './spoor-script.ts'
import { refuseOtherMethods } from './unsupported-methods.ts'

export interface CollectEndpoint {
  collector: Pick<Collector, 'collect' | 'collectFromServer' | 'noteLoad'>
  trusted_proxies: readonly Network[]
  log: FastifyBaseLogger
  /** Called for every answer that did not pass the framework's hooks. */
  onAnswered?: (seen: { operation: null; status: number; seconds: number }) => void
  /** The script to serve; the built one by default. */
  script?: SpoorScript | null
  /** How slowly a body may arrive and how many may be unfinished; `COLLECT_RATE` and `COLLECT_PLACES` by default. */
  rate?: BodyRate
  places?: BodyPlaceLimits
}

const PATH = '/collect'
const SERVER_PATH = '/collect/server'
const SCRIPT_PATH = '/spoor.js'
const PREFLIGHT_SECONDS = '86400'
const FREQUENT = { config: { is_frequent: true } }

/** Serves the collection of events and the tracker’s script. */
export function registerCollect(app: FastifyInstance, endpoint: CollectEndpoint): void {
  const script = endpoint.script === undefined ? readScript() : endpoint.script
  const state = { is_closing: false }
  app.addHook('preClose', async () => {
    state.is_closing = true
  })
  const readBrowser = openBrowserReader(endpoint.trusted_proxies)
  const limits = { places: openBodyPlaces(endpoint.places), rate: endpoint.rate ?? COLLECT_RATE }
  const taken = fromBrowser(endpoint, readBrowser, limits)
  const collect = answering(taken, endpoint, state, ({ headers }) => headers.origin)
  const collectFromServer = answering(fromServer(endpoint, readBrowser, limits), endpoint, state, () => undefined)
  postTo(app, PATH, collect)
  postTo(app, SERVER_PATH, collectFromServer)
  // Asked without the events, so that it is not known whose they are: the request itself is judged.
  app.options(PATH, FREQUENT, async (request, reply) => {
    const { origin } = request.headers
    if (origin !== undefined) reply.headers(corsHeaders(origin))
    return reply
      .headers({ 'access-control-allow-methods': 'POST', 'access-control-allow-headers': 'content-type' })
      .headers({ 'access-control-max-age': PREFLIGHT_SECONDS, allow: 'POST, OPTIONS' })
      .code(204)
      .send()
  })
  app.get(SCRIPT_PATH, FREQUENT, async (request, reply) => {
    const { referer, 'user-agent': user_agent = '' } = request.headers
    const { network } = readBrowser(request.raw)
    const load = { key: keyInUrl(request), referer, user_agent, network }
    // HEAD loads nothing.
    if (script !== null && request.method === 'GET') {
      endpoint.collector
        .noteLoad(load)
        .catch((error: unknown) => request.log.warn({ err: error }, 'a snippet proof could not be stored'))
    }
    return sendScript(script, request, reply)
  })
  refuseOtherMethods(app, PATH, ['POST', 'OPTIONS'])
  refuseOtherMethods(app, SERVER_PATH, ['POST'])
  refuseOtherMethods(app, SCRIPT_PATH, ['GET'])
  takeShortcut(app.server, collect, endpoint)
}

/** Taken over before the framework looks at the content type, so that every refusal is one of collection. */
function postTo(app: FastifyInstance, url: string, answer: Answer): void {
  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    reply.hijack()
    await answer(request.raw, reply.raw)
  }
  app.post(url, { ...FREQUENT, onRequest }, () => {})
}

type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/**
 * TRICKY: nearly all requests are of this one path, and the framework's hooks cost more than the work. Whatever they
 * would check is seen here to be right, or left to them; the answer has the same headers ("the short and the long
 * path").
 */
function takeShortcut(server: Server, collect: Answer, { onAnswered = () => {} }: CollectEndpoint): void {
  const others = server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[]
  server.removeAllListeners('request')
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const is_event = request.url === PATH && request.method === 'POST' && request.headers.host !== undefined
    if (is_event && repeatedHeader(request) === null) {
      const started = performance.now()
      void collect(request, response).then(() =>
        onAnswered({ operation: null, status: response.statusCode, seconds: (performance.now() - started) / 1_000 }),
      )
      return
    }
    for (const other of others) other.call(server, request, response)
  })
}

type Take = (request: IncomingMessage) => Promise<CollectAnswer>
type ReadBrowser = ReturnType<typeof openBrowserReader>

const fromBrowser =
  ({ collector }: CollectEndpoint, readBrowser: ReadBrowser, limits: BodyLimits): Take =>
  async (request) => {
    const { page, address, network, user_agent, opts_out } = readBrowser(request)
    const body = await readBytes(request, network, limits)
    return await collector.collect({ body, page, address, network, user_agent, opts_out })
  }

const fromServer =
  ({ collector }: CollectEndpoint, readBrowser: ReadBrowser, limits: BodyLimits): Take =>
  async (request) => {
    const { network } = readBrowser(request)
    const key = bearerOf(request)
    // Read only once the key is known to be in force, so the key names its sender.
    return collector.collectFromServer({ read: async () => readBytes(request, key ?? network, limits), key, network })
  }

/** Answers with what `take` says; `originOf` is the page that may read the answer. */
function answering(
  take: Take,
  { log }: CollectEndpoint,
  state: { is_closing: boolean },
  originOf: (request: IncomingMessage) => string | undefined,
): Answer {
  return async (request, response) => {
    const origin = originOf(request)
    try {
      const answer = await take(request)
      send(response, statusOf(answer), JSON_TYPE, writeAnswer(answer), state, origin)
    } catch (error) {
      const { status, headers, body, is_readable, is_bug } = answerToCollect(error)
      send(response, status, headers, body, state, is_readable ? origin : undefined)
      if (is_bug) log.error({ err: error }, 'request failed')
    }
  }
}

function writeAnswer(answer: CollectAnswer): string {
  const { accepted, rejected, opted_out } = answer
  if (rejected.length === 0 && opted_out === undefined) return `{"accepted":${accepted},"rejected":[]}`
  return JSON.stringify({ ...answer, rejected: wordAll(answer.rejected, wordsOfCollection) })
}

/** When no event at all could be taken the sender's own mistake must not look like a success. */
const statusOf = ({ accepted, opted_out }: CollectAnswer) => (accepted === 0 && opted_out === undefined ? 422 : 202)

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }
const SAFE = Object.entries(SAFE_HEADERS).flat()

const corsHeaders = (origin: string) => ({ 'access-control-allow-origin': origin, vary: 'Origin' })

function send(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string,
  { is_closing }: { is_closing: boolean },
  origin: string | undefined,
): void {
  const all = ['x-request-id', randomUUID(), ...SAFE, 'content-length', String(Buffer.byteLength(body))]
  for (const name in headers) all.push(name, headers[name] as string)
  if (origin !== undefined) all.push('access-control-allow-origin', origin)
  all.push('vary', 'Origin')
  if (is_closing) all.push('connection', 'close')
  response.writeHead(status, all)
  response.end(body)
}
