/** The streams of the operator's socket: an imported log, a backup and a move, which no operation could carry. */
import type { ServerResponse } from 'node:http'
import type { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { BackupStream } from '#backup/take.ts'
import type { ImportProgress } from '#intake/import/import-log.ts'
import { importRequest, type LogImportInput } from '#intake/import/import-options.ts'
import type { ImportReceipt } from '#intake/import/receipt.ts'
import type { MoveRun } from '#move/move-source.ts'
import type { MoveReport } from '#move/report.ts'
import { readTargetSettings, type TargetSettings } from '#move/target.ts'
import { Refusal } from '#refusal.ts'
import { bodyOf, SenderGone, STOPPING } from '../log-body.ts'
import type { DescribedFailure } from '../register-operations.ts'
import { wordAll } from '../step-words.ts'

const PROGRESS_EVERY_MS = 200
const MOVE_LEFT = 'the command ended before the move did'
const MOVE_STOPPED = 'the server is stopping: what is copied stays, and repeating the command goes on where it was'

export interface OperatorStreams {
  importLog(
    request: LogImportInput,
    chunks: AsyncIterable<Uint8Array>,
    onProgress: (progress: ImportProgress) => void,
  ): Promise<ImportReceipt>
  backup(take: (archive: BackupStream) => Promise<void>): Promise<void>
  moveTo(settings: TargetSettings, run: MoveRun): Promise<MoveReport>
  log: Logger
}

type Describe = (error: unknown) => DescribedFailure

/**
 * Registers `/import`, `/backup` and `/migrate-to`; `stop` breaks off moves and imports that read, and waits for those
 * that write.
 */
export function registerStreams(
  app: FastifyInstance,
  streams: OperatorStreams,
  describe: Describe,
): { stop(): Promise<void> } {
  const imports = new Map<PassThrough, Promise<void>>()
  app.post('/import', async ({ raw, query }, reply) => {
    reply.hijack()
    const log = bodyOf(raw)
    const notes = query as Record<string, string>
    const done = answerImport(streams, describe, notes, log, reply.raw).finally(() => imports.delete(log))
    imports.set(log, done)
    await done
  })
  /** The archive itself, its length known beforehand, so that its receiver sees when it is cut off. */
  app.post('/backup', async (_request, reply) => {
    await streams
      .backup(async ({ size, chunks }) => {
        reply.hijack()
        reply.raw.writeHead(200, { 'content-type': 'application/x-tar', 'content-length': size })
        await pipeline(chunks, reply.raw).catch((error: unknown) => {
          if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
          streams.log.info('a backup was broken off by its receiver')
        })
      })
      .catch((error: unknown) => {
        if (!reply.sent) throw error
        streams.log.error({ err: error }, 'an operator command broke off')
        reply.raw.destroy()
      })
  })
  const moves = new Map<AbortController, Promise<void>>()
  let is_moved = false
  const onMoved = () => {
    // The command may be repeated, and answers the same.
    if (is_moved) return
    is_moved = true
    streams.log.warn(
      'the installation has moved, and this service only reads: stop it and start it with the settings of the servers (docs/operating/moving.md)',
    )
  }
  app.post('/migrate-to', async ({ raw }, reply) => {
    const settings = readTargetSettings(await buffer(raw))
    reply.hijack()
    const breaking = new AbortController()
    // The command that asked for it is gone: what is copied stays for the next time.
    reply.raw.once('close', () => breaking.abort(new SenderGone(MOVE_LEFT)))
    const done = answerMove({ ...streams, onMoved }, describe, settings, breaking.signal, reply.raw).finally(() =>
      moves.delete(breaking),
    )
    moves.set(breaking, done)
    await done
  })
  return {
    async stop() {
      for (const breaking of moves.keys()) breaking.abort(new Refusal('reader_unavailable', MOVE_STOPPED))
      await Promise.all(moves.values())
      for (const log of imports.keys()) log.destroy(new Refusal('reader_unavailable', STOPPING))
      await Promise.all(imports.values())
    },
  }
}

/** Answers `{report}` at the end, or `{refusal}`. */
async function answerMove(
  { moveTo, log, onMoved }: Pick<OperatorStreams, 'moveTo' | 'log'> & { onMoved(): void },
  describe: Describe,
  settings: TargetSettings,
  signal: AbortSignal,
  response: ServerResponse,
): Promise<void> {
  const work = async (onProgress: MoveRun['onProgress']) => {
    const report = await moveTo(settings, { signal, onProgress })
    onMoved()
    return { report }
  }
  const left = 'a move was broken off by its sender; what is copied stays'
  await answerLines(work, { response, describe, log, left, phaseOf: ({ phase }) => phase })
}

/** Answers `{receipt}` at the end, or `{refusal}`. */
async function answerImport(
  { importLog, log }: OperatorStreams,
  describe: Describe,
  notes: Record<string, string>,
  body: PassThrough,
  response: ServerResponse,
): Promise<void> {
  const work = async (onProgress: (progress: ImportProgress) => void) => {
    try {
      const receipt = await importLog(importRequest(notes), body, onProgress)
      return { receipt: { ...receipt, warnings: wordAll(receipt.warnings) } }
    } catch (error) {
      body.destroy()
      throw error
    }
  }
  const left = 'an import was broken off by its sender; nothing of it was stored'
  await answerLines(work, { response, describe, log, left })
}

interface LineAnswer<Progress> {
  response: ServerResponse
  describe: Describe
  log: Logger
  /** Logged if the sender is gone. */
  left: string
  /** A new phase is reported at once. */
  phaseOf?: (progress: Progress) => string
}

/** One JSON object a line: progress while the work runs, then its result or `{refusal}`. */
async function answerLines<Progress>(
  work: (onProgress: (progress: Progress) => void) => Promise<object>,
  { response, describe, log, left, phaseOf = () => '' }: LineAnswer<Progress>,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/x-ndjson' })
  let next = 0
  let phase = ''
  try {
    const result = await work((progress) => {
      const now = performance.now()
      if ((now < next && phaseOf(progress) === phase) || response.destroyed) return
      next = now + PROGRESS_EVERY_MS
      phase = phaseOf(progress)
      response.write(`${JSON.stringify({ progress })}\n`)
    })
    response.end(`${JSON.stringify(result)}\n`)
  } catch (error) {
    if (error instanceof SenderGone) return log.info(left)
    const { answer, bug } = describe(error)
    if (bug) log.error({ err: error }, 'an operator command failed')
    response.end(`${answer.body}\n`)
  }
}
