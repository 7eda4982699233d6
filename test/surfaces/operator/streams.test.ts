/** Moves over the socket: one that is repeated, and one whose command ends before it does. */
import { join } from 'node:path'
import Fastify from 'fastify'
import pino from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import type { MoveReport } from '#move/report.ts'
import { askToMove } from '#surfaces/operator/socket-client.ts'
import { type OperatorStreams, registerStreams } from '#surfaces/operator/streams.ts'
import { makeTestFolder, removeTestFolder } from '../../support/control.ts'

const settings = { database_url: null, clickhouse: null, secret_key_name: null, secret_key_check: null }
const neverCalled = () => Promise.reject(new Error('not asked for'))

/** The path of a socket that takes moves. */
async function openSocket(streams: Pick<OperatorStreams, 'moveTo' | 'log'>): Promise<string> {
  const folder = makeTestFolder()
  onTestFinished(() => removeTestFolder(folder))
  const app = Fastify()
  onTestFinished(() => app.close())
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  registerStreams(app, { importLog: neverCalled, backup: neverCalled, ...streams }, (error) => {
    throw error
  })
  const path = join(folder, 'spoor.sock')
  await app.listen({ path })
  return path
}

test('that is repeated after its end answers the same, and the log has the next step once', async () => {
  const report: MoveReport = { evidence: null, control: null, differences: 0, read_only_seconds: 0, took_seconds: 1 }
  const logged: string[] = []
  const log = pino({}, { write: (line) => void logged.push(JSON.parse(line).msg) })
  const path = await openSocket({ log, moveTo: () => Promise.resolve(report) })
  const run = { signal: new AbortController().signal, onProgress() {} }
  expect(await askToMove(path, settings, run)).toEqual(report)
  expect(await askToMove(path, settings, run)).toEqual(report)
  expect(logged).toEqual([expect.stringMatching(/has moved, and this service only reads: stop it/)])
})

test('is broken off with a reason, which the status of the move shows', async () => {
  const begun = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<Error>()
  const path = await openSocket({
    log: pino({ level: 'silent' }),
    moveTo: (_settings: unknown, { signal }: { signal: AbortSignal }) =>
      new Promise<never>((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          ended.resolve(signal.reason)
          reject(signal.reason)
        })
        begun.resolve()
      }),
  })
  const leaving = new AbortController()
  const asking = askToMove(path, settings, { signal: leaving.signal, onProgress() {} })
  await begun.promise
  leaving.abort(new Error('left'))
  await expect(asking).rejects.toThrow()
  expect((await ended.promise).message).toBe('the command ended before the move did')
})
