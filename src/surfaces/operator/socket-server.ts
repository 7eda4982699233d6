/** Management operations, imports and backups of a running server, over a Unix socket of the data folder (rules 7). */
import { randomUUID } from 'node:crypto'
import { chmodSync, rmSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Logger } from 'pino'
import { type ManagementOperation, managementOperations } from '#contract/management-api/index.ts'
import type { ManagementServices } from '#management-services.ts'
import { Refusal } from '#refusal.ts'
import { type DescribedFailure, registerOperations, type Surface, sendFailure } from '../register-operations.ts'
import { repeatedHeader, repeatedHeaderDetail } from '../repeated-headers.ts'
import { wordsOf } from '../step-words.ts'
import { checkInput, type OperatorContext, operatorCaller, operatorTable } from './operations.ts'
import { type OperatorStreams, registerStreams } from './streams.ts'

/** A registry document is the largest thing an operation takes. */
const MAX_INPUT_BYTES = 16_777_216
/** How long the last answers may take to be read once the server stops. */
const LAST_ANSWERS_MS = 300

export interface OperatorSocketOptions extends OperatorStreams {
  context: OperatorContext
  /** What the machine denies, as a refusal; every other failure as it is. */
  refuse(error: unknown): unknown
  log: Logger
}

export interface OperatorSocket {
  /** Accepts no connection any more, breaks off imports that still read, and waits for those that write facts. */
  stop(): Promise<void>
}

/** Listens on `path`; who may open the socket file is the operator. A stale socket of a dead server is replaced. */
export async function openOperatorSocket(path: string, options: OperatorSocketOptions): Promise<OperatorSocket> {
  rmSync(path, { force: true })
  // Its failures only: what the framework says besides is noise.
  const loggerInstance: FastifyBaseLogger = options.log.child({}, { level: 'warn' })
  const app: FastifyInstance = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    // An import may take hours.
    requestTimeout: 0,
    return503OnClosing: false,
    http: { requireHostHeader: false },
  })
  const describe = (error: unknown) => describeRefusal(options.refuse(error))
  app.setErrorHandler((error, request, reply) => sendFailure(request, reply, error, describe(error)))
  app.setNotFoundHandler((request) => {
    const name = request.url.slice(1)
    throw new Refusal('not_found', `this server does not know the command ${name}: is it an older Spoor? Restart it`)
  })
  app.addHook('onRequest', async ({ raw }) => {
    const repeated = repeatedHeader(raw)
    if (repeated !== null) throw new Refusal('invalid_input', repeatedHeaderDetail(repeated))
  })
  // Bodies are read by the operations themselves.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  registerOperations(app, operatorSurface(options.context, describe))
  const streams = registerStreams(app, options, describe)
  await app.listen({ path })
  chmodSync(path, 0o600)
  return {
    async stop() {
      const closed = app.close()
      await streams.stop()
      const late = setTimeout(() => app.server.closeAllConnections(), LAST_ANSWERS_MS)
      await closed
      clearTimeout(late)
    },
  }
}

const operatorSurface = (
  ctx: OperatorContext,
  describeFailure: (error: unknown) => DescribedFailure,
): Surface<ManagementOperation, ManagementServices> => ({
  ...operatorTable(ctx),
  operations: managementOperations,
  route: ({ id }) => ({ method: 'POST', url: `/${id}` }),
  authenticate: async () => operatorCaller(ctx),
  readInput: async (operation, { raw }) => checkInput(operation, JSON.parse((await readAll(raw)) || '{}')),
  writeOutput: (_operation, _input, output) => ({ type: 'application/json', body: JSON.stringify(output) }),
  describeFailure,
})

/** A refusal in the form of the socket: its kind and its words. */
function describeRefusal(error: unknown): DescribedFailure {
  const known = error instanceof Refusal ? error : null
  const refusal = {
    kind: known?.kind ?? 'failed',
    detail: known === null ? 'the server failed to carry this out; its log has the cause' : wordsOf(known),
  }
  const headers = { 'content-type': 'application/json' }
  return { answer: { status: 400, headers, body: JSON.stringify({ refusal }) }, bug: known === null }
}

async function readAll(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length
    if (size > MAX_INPUT_BYTES) throw new Refusal('invalid_input', 'the command is too long')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}
