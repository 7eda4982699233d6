/** What of the operator's socket is not an operation but a stream: a log that is imported, and a backup. */
import type { ServerResponse } from 'node:http'
import type { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { BackupStream } from '#backup/take.ts'
import type { ImportProgress } from '#intake/import/import-log.ts'
import type { ImportReceipt } from '#intake/import/receipt.ts'
import { importRequest, type LogImportInput } from '#intake/import/request.ts'
import { Refusal } from '#refusal.ts'
import { bodyOf, SenderGone, STOPPING } from '../log-body.ts'
import type { DescribedFailure } from '../register-operations.ts'
import { wordAll } from '../step-words.ts'

const PROGRESS_EVERY_MS = 200

export interface OperatorStreams {
  importLog(
    request: LogImportInput,
    chunks: AsyncIterable<Uint8Array>,
    onProgress: (progress: ImportProgress) => void,
  ): Promise<ImportReceipt>
  backup(take: (archive: BackupStream) => Promise<void>): Promise<void>
  log: Logger
}

type Describe = (error: unknown) => DescribedFailure

/** Registers `/import` and `/backup`; `stop` breaks off imports that read, and waits for those that write. */
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
  return {
    async stop() {
      for (const log of imports.keys()) log.destroy(new Refusal('reader_unavailable', STOPPING))
      await Promise.all(imports.values())
    },
  }
}

/** One JSON object a line: progress while it runs, then `{receipt}` or `{refusal}`. */
async function answerImport(
  { importLog, log }: OperatorStreams,
  describe: Describe,
  notes: Record<string, string>,
  body: PassThrough,
  response: ServerResponse,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/x-ndjson' })
  let next = 0
  try {
    const receipt = await importLog(importRequest(notes), body, (progress) => {
      const now = performance.now()
      if (now < next || response.destroyed) return
      next = now + PROGRESS_EVERY_MS
      response.write(`${JSON.stringify({ progress })}\n`)
    })
    response.end(`${JSON.stringify({ receipt: { ...receipt, warnings: wordAll(receipt.warnings) } })}\n`)
  } catch (error) {
    body.destroy()
    if (error instanceof SenderGone) return log.info('an import was broken off by its sender; nothing of it was stored')
    const { answer, bug } = describe(error)
    if (bug) log.error({ err: error }, 'an operator command failed')
    response.end(`${answer.body}\n`)
  }
}
