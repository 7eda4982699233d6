/** What a sender that goes away in the middle leaves behind: nothing that waits for it. */
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as after } from 'node:timers/promises'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { registerIntake } from '#surfaces/http/intake.ts'

const DELIVERER = {
  token_id: 't',
  source_id: 's',
  site_id: 'x',
  root_domain: 'example.com',
  retention_days: 400,
  connection_status: 'live' as const,
}

test.each([
  ['before its body is opened', '{"a":1}\n'],
  ['before anything of its body came', ''],
  ['when it has sent all of its body', '{"a":1}\n'.padEnd(100)],
])('a sender that disconnects %s does not keep its slot', async (_name, part) => {
  const gone = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<string>()
  const app = Fastify()
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.server.on('request', (request) => request.once('close', () => gone.resolve()))
  registerIntake(app, {
    async authenticateToken() {
      // A control store that answers only after the sender has gone.
      await gone.promise
      await after(20)
      return DELIVERER
    },
    async receive(_delivery, open) {
      try {
        for await (const _chunk of open());
        ended.resolve('read to its end')
      } catch (error) {
        ended.resolve(error instanceof Error ? error.message : String(error))
      }
      throw new Error('nobody reads this answer')
    },
    now: () => 0,
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const sender = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  await once(sender, 'connect')
  sender.write(`POST /intake/logs HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer t\r\nContent-Length: 100\r\n\r\n${part}`)
  await once(app.server, 'request')
  sender.resetAndDestroy()
  expect(await ended.promise).toMatch(/broke off before its end/)
  await app.close()
})
