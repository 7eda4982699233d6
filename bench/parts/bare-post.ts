/** A bare Fastify POST that answers 202, and a generator in a separate process that puts load on it or another path. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import Fastify from 'fastify'
import type { Round } from './collect-sender.ts'

const SENDER = new URL('./collect-sender.ts', import.meta.url).pathname

export async function openBarePost() {
  const app = Fastify()
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
  app.post('/', async (_request, reply) => reply.code(202).send({ accepted: 1, rejected: [] }))
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  return { port: new URL(url).port, close: () => app.close() }
}

/** A generator that sends on request of `measureRound`; it ends with `kill()`. */
export async function startSender(port: string, path: string, key: string, connections: number): Promise<ChildProcess> {
  const child = fork(SENDER, [port, path, String(connections), key])
  await once(child, 'message')
  return child
}

export async function measureRound(sender: ChildProcess, seconds: number): Promise<Round> {
  sender.send(seconds)
  const [reported] = (await once(sender, 'message')) as [Round]
  return reported
}

/** Requests per second that the bare POST answers on this machine at this time, over 256 connections. */
export async function measureBarePost(seconds: number): Promise<number> {
  const bare = await openBarePost()
  const sender = await startSender(bare.port, '/', '', 256)
  await measureRound(sender, 2)
  const round = await measureRound(sender, seconds)
  sender.kill()
  await bare.close()
  return round.answers / round.seconds
}
