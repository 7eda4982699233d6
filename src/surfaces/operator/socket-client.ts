/** The other side of the operator's socket: asks a running server. */
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { BackupStream } from '#backup/take.ts'
import type { ImportProgress } from '#intake/import/import-log.ts'
import { importQuery, type LogImportInput } from '#intake/import/import-options.ts'
import type { ImportReceipt } from '#intake/import/receipt.ts'
import type { MoveRun } from '#move/move-source.ts'
import type { MoveProgress } from '#move/move-state.ts'
import type { MoveReport } from '#move/report.ts'
import type { TargetSettings } from '#move/target.ts'
import { Refusal, type RefusalKind } from '#refusal.ts'

interface RefusalBody {
  kind: RefusalKind | 'failed'
  detail: string
}

/** True when a server listens on the socket; also false when none can be there: opening the folder says why. */
export function serverListens(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

/** Asks the server to run a command; its refusals are thrown here as they were there. */
export async function askServer(path: string, name: string, input: unknown): Promise<unknown> {
  // Before anything is open: what cannot be written must not leave an open connection.
  const body_sent = JSON.stringify(input)
  const request = post(path, `/${name}`)
  try {
    request.end(body_sent)
    const body = JSON.parse(await readText(await answerOf(request))) as { refusal?: RefusalBody }
    if (body.refusal !== undefined) throw thrown(body.refusal)
    return body
  } catch (error) {
    if (!isConnectionLost(error)) throw error
    throw new Refusal(
      'reader_unavailable',
      'the server ended before it answered: check whether the change was made, and repeat the command if not',
    )
  }
}

/**
 * Streams a log to the server and reports its progress; resolves with the receipt.
 * A failure of `chunks` is thrown as it is; without the end of its file the server stores nothing.
 */
export async function sendLog(
  path: string,
  input: LogImportInput,
  chunks: Readable,
  onProgress: (progress: ImportProgress) => void,
): Promise<ImportReceipt> {
  const query = importQuery(input)
  const request = post(path, `/import?${query}`)
  // A refusal need not wait for the first byte of a silent log.
  request.flushHeaders()
  // A failed connection comes back through the answer; only a failure of the file is reported here.
  let unreadable: unknown = null
  pipeline(chunks, request).catch((error: unknown) => {
    if (!isConnectionLost(error)) unreadable = error
  })
  try {
    for await (const message of readMessages(await answerOf(request))) {
      if (message.progress !== undefined) onProgress(message.progress as ImportProgress)
      if (message.refusal !== undefined) throw thrown(message.refusal)
      if (message.receipt !== undefined) return message.receipt
    }
  } catch (error) {
    if (unreadable === null && !isConnectionLost(error)) throw error
  } finally {
    request.destroy()
    chunks.destroy()
  }
  if (unreadable !== null) throw unreadable
  throw new Refusal(
    'reader_unavailable',
    'the server ended while it imported: start it again and repeat the import; nothing is counted twice',
  )
}

/**
 * Has the server move its installation and reports its progress; resolves with the report. When `signal` ends it, the
 * server goes on serving and keeps what is copied.
 */
export async function askToMove(path: string, settings: TargetSettings, run: MoveRun): Promise<MoveReport> {
  const request = post(path, '/migrate-to')
  const leave = () => request.destroy(run.signal.reason)
  run.signal.addEventListener('abort', leave)
  try {
    request.end(JSON.stringify(settings))
    for await (const message of readMessages(await answerOf(request))) {
      if (message.refusal !== undefined) throw thrown(message.refusal)
      if (message.report !== undefined) return message.report
      if (message.progress !== undefined) run.onProgress(message.progress as MoveProgress)
    }
  } catch (error) {
    if (!isConnectionLost(error)) throw error
  } finally {
    run.signal.removeEventListener('abort', leave)
    request.destroy()
  }
  throw new Refusal(
    'reader_unavailable',
    'the server ended during the move: spoor migrate-to --status shows how far it got; start the server again and repeat the command, which continues from there',
  )
}

/** Hands `take` a backup made by the server; nothing of it stays there afterwards, or when `signal` ends it. */
export async function fetchBackup<T>(
  path: string,
  take: (archive: BackupStream) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const request = post(path, '/backup')
  // Also while the server is silent.
  const leave = () => request.destroy(signal.reason)
  signal.addEventListener('abort', leave)
  try {
    request.end()
    const response = await answerOf(request)
    if (response.statusCode !== 200) {
      const { refusal } = JSON.parse(await readText(response)) as { refusal: RefusalBody }
      throw thrown(refusal)
    }
    return await take({ size: Number(response.headers['content-length']), chunks: response })
  } catch (error) {
    if (!isConnectionLost(error)) throw error
    throw new Refusal('reader_unavailable', 'the server stopped the backup: its log has the cause; repeat the backup')
  } finally {
    signal.removeEventListener('abort', leave)
    request.destroy()
  }
}

interface StreamMessage {
  progress?: ImportProgress | MoveProgress
  report?: MoveReport
  receipt?: ImportReceipt
  refusal?: RefusalBody
}

/**
 * Each request has a connection of its own, because a kept one would hold up the end of the command. TRICKY: it says
 * keep-alive all the same: otherwise the server closes it with its answer, and a sender that is still sending may lose
 * that answer ("a refusal reaches a sender that is still sending").
 */
function post(socketPath: string, path: string): ClientRequest {
  const headers = { connection: 'keep-alive' }
  const request = httpRequest({ socketPath, path, method: 'POST', agent: false, headers })
  // It fails the answer, or comes too late to matter.
  request.on('error', () => {})
  return request
}

function answerOf(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', resolve)
    request.once('error', reject)
  })
}

/** TRICKY: not readline, which never ends when the connection is lost ("a server that dies in the middle"). */
async function* readMessages(response: IncomingMessage): AsyncGenerator<StreamMessage> {
  let rest = ''
  for await (const part of response.setEncoding('utf8') as AsyncIterable<string>) {
    const lines = (rest + part).split('\n')
    rest = lines.pop() as string
    for (const line of lines) yield JSON.parse(line) as StreamMessage
  }
}

async function readText(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of response as AsyncIterable<Buffer>) parts.push(part)
  return Buffer.concat(parts).toString('utf8')
}

/** A failure of the server is in its log; a stack of this side would explain nothing. */
function thrown({ kind, detail }: RefusalBody): Refusal {
  return new Refusal(kind === 'failed' ? 'reader_unavailable' : kind, detail)
}

function isConnectionLost(error: unknown): boolean {
  const { code, syscall } = error as NodeJS.ErrnoException
  return syscall === 'connect' || code === 'ECONNRESET' || code === 'EPIPE' || code === 'ERR_STREAM_PREMATURE_CLOSE'
}
