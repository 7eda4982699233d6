/** A move over the socket whose command ends before it does. */
import { join } from 'node:path'
import Fastify from 'fastify'
import pino from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { askToMove } from '#surfaces/operator/socket-client.ts'
import { registerStreams } from '#surfaces/operator/streams.ts'
import { makeTestFolder, removeTestFolder } from '../../support/control.ts'

const settings = { database_url: null, clickhouse: null, secret_key_name: null, secret_key_check: null }
const neverCalled = () => Promise.reject(new Error('not asked for'))

test('is broken off with a reason, which the status of the move shows', async () => {
  const folder = makeTestFolder()
  onTestFinished(() => removeTestFolder(folder))
  const begun = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<Error>()
  const app = Fastify()
  onTestFinished(() => app.close())
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  const streams = {
    ...{ importLog: neverCalled, backup: neverCalled, log: pino({ level: 'silent' }) },
    moveTo: (_settings: unknown, { signal }: { signal: AbortSignal }) =>
      new Promise<never>((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          ended.resolve(signal.reason)
          reject(signal.reason)
        })
        begun.resolve()
      }),
  }
  registerStreams(app, streams, (error) => {
    throw error
  })
  const path = join(folder, 'spoor.sock')
  await app.listen({ path })
  const leaving = new AbortController()
  const asking = askToMove(path, settings, { signal: leaving.signal, onProgress() {} })
  await begun.promise
  leaving.abort(new Error('left'))
  await expect(asking).rejects.toThrow()
  expect((await ended.promise).message).toBe('the command ended before the move did')
})
