/** The operator's door to a running server: the same commands over a Unix socket of the data folder (rules 7). */
import { chmodSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Logger } from 'pino'
import { Value } from 'typebox/value'
import type { BackupStream } from '#backup/take.ts'
import type { ImportProgress } from '#intake/import/import-log.ts'
import type { ImportReceipt } from '#intake/import/receipt.ts'
import { type AskedImport, importRequest } from '#intake/import/request.ts'
import { Refusal } from '#refusal.ts'
import { repeatedHeader, repeatedHeaderDetail } from '../repeated-headers.ts'
import { type OperatorCommandName, type OperatorContext, operatorCommands } from './commands.ts'

/** A registry document is the largest thing a command takes. */
const MOST_COMMAND_BYTES = 16_777_216
const BUFFERED_BYTES = 1 << 20
const PROGRESS_EVERY_MS = 200
/** How long the last answers may take to be read once the server stops. */
const LAST_WORDS_MS = 300

export interface OperatorDoor {
  context: OperatorContext
  importLog(
    request: AskedImport,
    chunks: AsyncIterable<Uint8Array>,
    onProgress: (progress: ImportProgress) => void,
  ): Promise<ImportReceipt>
  backup(take: (archive: BackupStream) => Promise<void>): Promise<void>
  /** What the machine denies, as a refusal; every other failure as it is. */
  refuse(error: unknown): unknown
  log: Logger
}

export interface OperatorSocket {
  /** Lets nobody in any more, breaks off imports that still read, and waits for those that already write facts. */
  stop(): Promise<void>
}

/** Listens on `path`; whoever may open the socket file is the operator. A stale socket of a dead server is replaced. */
export async function openOperatorSocket(path: string, door: OperatorDoor): Promise<OperatorSocket> {
  const imports = new Map<PassThrough, Promise<void>>()
  rmSync(path, { force: true })
  // An import may take hours: its request must not time out.
  const server = createServer({ requestTimeout: 0 }, (request, response) => {
    answer(door, imports, request, response).catch((error: unknown) => fail(door, response, error))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, resolve)
  })
  chmodSync(path, 0o600)
  return {
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const log of imports.keys()) log.destroy(new Refusal('reader_unavailable', STOPPING))
      await Promise.all(imports.values())
      const late = setTimeout(() => server.closeAllConnections(), LAST_WORDS_MS)
      await closed
      clearTimeout(late)
    },
  }
}

const STOPPING = 'the server is stopping and nothing of this file was stored: repeat the import, which doubles nothing'

async function answer(
  door: OperatorDoor,
  imports: Map<PassThrough, Promise<void>>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const repeated = repeatedHeader(request)
  if (repeated !== null) throw new Refusal('invalid_input', repeatedHeaderDetail(repeated))
  const url = new URL(request.url ?? '/', 'http://operator')
  if (url.pathname === '/import') {
    const log = bodyOf(request)
    const done = answerImport(door, url.searchParams, log, response).finally(() => imports.delete(log))
    imports.set(log, done)
    return done
  }
  if (url.pathname === '/backup') return answerBackup(door, response)
  const name = url.pathname.slice(1) as OperatorCommandName
  const found = Object.hasOwn(operatorCommands, name) ? operatorCommands[name] : undefined
  if (found === undefined)
    throw new Refusal('not_found', `this server does not know the command ${name}: is it an older Spoor? Restart it`)
  const input: unknown = JSON.parse((await readAll(request)) || '{}')
  if (!Value.Check(found.input, input)) throw new Refusal('invalid_input', `the input of ${name} is not of its form`)
  // Each command checks its own input above; the table's value type is the union of all of them.
  const run = found.run as (ctx: OperatorContext, input: unknown) => Promise<unknown>
  const answered = JSON.stringify(await run(door.context, input))
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(answered)
}

/** The archive itself, its length known beforehand, so that its receiver sees when it is cut off. */
async function answerBackup(door: OperatorDoor, response: ServerResponse): Promise<void> {
  await door.backup(async ({ size, chunks }) => {
    response.writeHead(200, { 'content-type': 'application/x-tar', 'content-length': size })
    await pipeline(chunks, response).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
      door.log.info('a backup was broken off by its receiver')
    })
  })
}

/**
 * The request's body as a stream of its own, which may be left or broken off without losing the answer's way back.
 * TRICKY: leaving the request itself half read would close its connection ("a refusal reaches a sender that is still sending").
 */
function bodyOf(request: IncomingMessage): PassThrough {
  const body = new PassThrough({ highWaterMark: BUFFERED_BYTES })
  request.once('error', () => body.destroy(new SenderGone()))
  body.once('error', () => {})
  body.once('close', () => request.resume())
  return request.pipe(body)
}

class SenderGone extends Error {}

/** One JSON object a line: progress while it runs, then `{receipt}` or `{refusal}`. */
async function answerImport(
  door: OperatorDoor,
  query: URLSearchParams,
  log: PassThrough,
  response: ServerResponse,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/x-ndjson' })
  let next = 0
  try {
    const receipt = await door.importLog(importRequest(Object.fromEntries(query)), log, (progress) => {
      const now = performance.now()
      if (now < next || response.destroyed) return
      next = now + PROGRESS_EVERY_MS
      response.write(`${JSON.stringify({ progress })}\n`)
    })
    response.end(`${JSON.stringify({ receipt })}\n`)
  } catch (error) {
    log.destroy()
    if (error instanceof SenderGone) door.log.info('an import was broken off by its sender; nothing of it was stored')
    else response.end(`${JSON.stringify({ refusal: tell(door, error) })}\n`)
  }
}

function fail(door: OperatorDoor, response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    door.log.error({ err: error }, 'an operator command broke off')
    response.destroy()
    return
  }
  response.writeHead(400, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ refusal: tell(door, error) }))
}

function tell(door: OperatorDoor, error: unknown): { kind: string; detail: string } {
  const told = door.refuse(error)
  if (told instanceof Refusal) return { kind: told.kind, detail: told.message }
  door.log.error({ err: error }, 'an operator command failed')
  return { kind: 'failed', detail: 'the server failed to carry this out; its log has the cause' }
}

async function readAll(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length
    if (size > MOST_COMMAND_BYTES) throw new Refusal('invalid_input', 'the command is too long')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}
