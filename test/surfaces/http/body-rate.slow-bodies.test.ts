/** Senders that trickle: each is asked to send faster and loses its place, and the others never wait for it. */
import type { AddressInfo } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { readConfig } from '#config.ts'
import { openIntake } from '#intake/batches/intake.ts'
import { addIntakeSource } from '#sources/sources.ts'
import { createToken } from '#sources/tokens.ts'
import { registerCollect } from '#surfaces/http/collect.ts'
import { registerIntake } from '#surfaces/http/intake.ts'
import { BROWSER, type Collecting, openCollecting } from '../../support/collect.ts'
import { visit } from '../../support/intake.ts'
import { openConnection, parseAnswer, type RawConnection } from '../../support/raw-http.ts'

const SLOW_MS = 300
const RATE = { min_bytes: 100, every_ms: SLOW_MS }

let a: Collecting
let tokens: string[]
beforeAll(async () => {
  a = await openCollecting('2026-03-10T12:00:00Z')
  const { operator } = a.service.installation
  const { source, token } = await addIntakeSource(operator, { site_id: a.site.id, name: 'web1' })
  const other = await createToken(operator, { source: source.id, name: 'second' })
  tokens = [token.secret, other.secret]
})
afterAll(() => a.close())

let app: Pick<FastifyInstance, 'close'>
let port: number
/** Batches that have reached the intake. */
let begun_batches = 0
const open: RawConnection[] = []
beforeEach(async () => {
  const { installation, crawlers, clock } = a.service
  const intake = openIntake(crawlers)
  begun_batches = 0
  const log = pino({ level: 'silent' })
  const server = Fastify({ logger: false })
  app = server
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', (_request, _payload, done) => done(null))
  registerIntake(server, {
    authenticateToken: installation.authenticateToken,
    receive(delivery, body) {
      begun_batches++
      return intake.receive(delivery, body)
    },
    now: () => clock.now(),
    rate: RATE,
  })
  const { trusted_proxies } = readConfig({})
  const places = { total: 4, of_sender: 2 }
  registerCollect(server, { collector: a.collector, trusted_proxies, log, rate: RATE, places })
  server.addHook('onClose', () => intake.close())
  await server.listen({ port: 0, host: '127.0.0.1' })
  port = (server.server.address() as AddressInfo).port
})
afterEach(async () => {
  for (const { socket } of open.splice(0)) socket.destroy()
  await app.close()
})

async function begin(path: string, headers: Record<string, string>, part: string): Promise<RawConnection> {
  const connection = await openConnection(port)
  open.push(connection)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  connection.send(`POST ${path} HTTP/1.1\r\nHost: x\r\n${lines.join('')}\r\n${part}`)
  return connection
}
const answered = (connection: RawConnection) => {
  const answer = parseAnswer(connection.received())
  return { status: answer.status, json: answer.body === '' ? null : JSON.parse(answer.body) }
}
const untilClosed = (connection: RawConnection) => until(() => expect(connection.isClosed()).toBe(true))
/** The machine may be busy. */
const until = <T>(check: () => T | Promise<T>) => vi.waitFor(check, { timeout: 60_000 })
const record = () => `${JSON.stringify(visit({ id: crypto.randomUUID() }))}\n`

describe('POST /intake/logs', () => {
  const batch = (token: string, length: number, part: string) =>
    begin('/intake/logs', { authorization: `Bearer ${token}`, 'content-length': String(length) }, part)
  const whole = async () => {
    const body = record()
    const connection = await batch(tokens[0] as string, body.length, body)
    await until(() => expect(answered(connection).status).toBeGreaterThan(0))
    return answered(connection).status
  }

  test('slow bodies of two tokens take all slots of their site, are refused, and release them to a batch that waits', async () => {
    const slow = await Promise.all(
      Array.from({ length: 24 }, (_, at) => batch(tokens[at % 2] as string, 1_000_000, '{')),
    )
    await until(() => expect(begun_batches).toBe(24))
    expect(await whole()).toBe(200)
    await Promise.all(slow.map(untilClosed))
    for (const connection of slow) {
      expect(answered(connection)).toMatchObject({
        status: 408,
        json: { type: 'urn:spoor:problem:too_slow', detail: expect.stringMatching(/100 bytes .* 0\.3 seconds/) },
      })
    }
  })
})

describe.each(['/collect', '/collect/server'])('POST %s', (path) => {
  const headers = (client: number) => ({
    'user-agent': BROWSER,
    origin: 'https://example.com',
    'content-type': 'application/json',
    'x-forwarded-for': `198.51.100.${client}`,
    ...(path === '/collect' ? {} : { authorization: `Bearer ${a.server_key}` }),
  })
  const event = () =>
    JSON.stringify(
      path === '/collect'
        ? a.event()
        : { v: 1, id: crypto.randomUUID(), type: 'revenue', revenue: { amount_minor: 1, currency: 'EUR' } },
    )
  const send = (client: number, body: string, length = body.length) =>
    begin(path, { ...headers(client), 'content-length': String(length) }, body)
  const whole = async (client: number) => {
    const connection = await send(client, event())
    await until(() => expect(answered(connection).status).toBeGreaterThan(0))
    return answered(connection).status
  }

  test('a body that trickles is refused, its connection ends, and its place is free', async () => {
    const [one, two] = [await send(1, '{', 500), await send(1, '{', 500)]
    await until(async () => expect(await whole(1)).toBe(429))
    const trickle = setInterval(() => one.send(' '), SLOW_MS / 5)
    try {
      await Promise.all([one, two].map(untilClosed))
    } finally {
      clearInterval(trickle)
    }
    for (const connection of [one, two]) {
      expect(answered(connection)).toMatchObject({ status: 408, json: { code: 'body_too_slow' } })
    }
    expect(await whole(1)).toBe(202)
  })

  test('a sender that disconnects in the middle releases its slot', async () => {
    const two = [await send(1, '{', 500), await send(1, '{', 500)]
    await until(async () => expect(await whole(1)).toBe(429))
    for (const { socket } of two) socket.destroy()
    await until(async () => expect(await whole(1)).toBe(202))
  })
})

test('unfinished bodies of one client leave slots to the others, and those of all clients give way to a body that comes', async () => {
  const headers = (client: number) => ({ 'x-forwarded-for': `203.0.113.${client}`, 'user-agent': BROWSER })
  const begun = (client: number) => begin('/collect', { ...headers(client), 'content-length': '500' }, '{')
  const isRefused = (connection: RawConnection) => answered(connection).status === 429
  const refusedAt = async (client: number) => {
    const connection = await begun(client)
    return until(() => {
      expect(answered(connection)).toMatchObject({ status: 429, json: { code: 'rate_limited' } })
      expect(connection.received()).toMatch(/retry-after: \d+/i)
    })
  }
  const longest = await Promise.all([begun(1), begun(1)])
  await refusedAt(1)
  const others = await Promise.all([begun(2), begun(2)])
  await refusedAt(2)
  const body = JSON.stringify(a.event())
  const page = { origin: 'https://example.com', 'content-type': 'application/json' }
  const whole = await begin('/collect', { ...headers(3), ...page, 'content-length': String(body.length) }, body)
  await until(() => expect(answered(whole).status).toBe(202))
  await until(() => expect(longest.filter(isRefused)).toHaveLength(1))
  expect(others.filter(isRefused)).toEqual([])
})
