/** Strangers who open connections and finish nothing: the service answers the others, in bounded memory. */
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type ConnectionLimits, connectionLimits, MAX_CONNECTIONS } from '#surfaces/http/connections.ts'
import { buildHttpServer } from '#surfaces/http/server.ts'
import { exchangeRaw, openConnection, parseAnswer, type RawConnection } from '../../support/raw-http.ts'

const KIB = 1024
const until = <T>(check: () => T | Promise<T>) => vi.waitFor(check, { timeout: 60_000 })

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function listen(connections: ConnectionLimits, ready: () => Promise<boolean> = async () => true) {
  const app = buildHttpServer({
    implementations: {},
    authenticate: async () => null,
    admit: async () => Promise.reject(new Error('no site')),
    services: {},
    ready,
    logger: pino({ level: 'silent' }),
    support_email: null,
    close_grace_ms: 200,
    connections,
  })
  // Like the paths of the dashboard that read a body to learn who asks.
  app.post('/reads-body', ({ raw }, reply) => {
    let bytes = 0
    raw.on('data', (part: Buffer) => {
      bytes += part.length
    })
    raw.on('end', () => reply.send(String(bytes)))
  })
  const sockets: Socket[] = []
  app.server.on('connection', (socket: Socket) => sockets.push(socket))
  await app.listen({ port: 0, host: '127.0.0.1' })
  ends.push(() => app.close())
  const address = app.server.address()
  if (address === null || typeof address === 'string') throw new Error('the service has no port')
  const { port } = address
  const held = () =>
    new Promise<number>((resolve, reject) =>
      app.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
    )
  return { app, port, held, sockets }
}

async function open(port: number, bytes: string): Promise<RawConnection> {
  const connection = await openConnection(port)
  ends.push(() => connection.socket.destroy())
  connection.send(bytes)
  return connection
}

const GET = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n`
const ask = async (port: number, path = '/healthz') =>
  (await exchangeRaw(port, `${GET(path)}Connection: close\r\n\r\n`)).status

test('thousands of sockets with half a header: every request between them is answered, and few of them are kept', async () => {
  const { port, held } = await listen({ connections: 500, header_bytes: 32 * KIB * KIB })
  const sockets: Socket[] = []
  ends.push(() => {
    for (const socket of sockets) socket.destroy()
  })
  const answers: number[] = []
  for (let round = 0; round < 30; round++) {
    const more = Array.from({ length: 100 }, () =>
      connect(port, '127.0.0.1', function (this: Socket) {
        this.write(`${GET('/healthz')}X-Half: `)
      }),
    )
    for (const socket of more) socket.on('error', () => {})
    await Promise.all(more.map((socket) => new Promise((resolve) => socket.once('connect', resolve))))
    sockets.push(...more)
    answers.push(await ask(port))
    expect(await held()).toBeLessThanOrEqual(500)
  }
  expect(answers).toEqual(answers.map(() => 200))
  await until(() => expect(sockets.filter((socket) => socket.destroyed).length).toBeGreaterThanOrEqual(2_490))
})

test('unfinished headers are limited in memory, and the largest are closed first', async () => {
  const { port } = await listen({ connections: 1_000, header_bytes: 2_000 * KIB })
  const small = await open(port, `${GET('/healthz')}X-Small: `)
  const large = await Promise.all(
    Array.from({ length: 60 }, () => open(port, `${GET('/healthz')}X-Large: ${'x'.repeat(100 * KIB)}`)),
  )
  await until(() => expect(large.filter((one) => !one.isClosed()).length).toBeLessThanOrEqual(19))
  expect(await ask(port)).toBe(200)
  small.send('end\r\nConnection: close\r\n\r\n')
  await until(() => expect(small.isClosed()).toBe(true))
  expect(parseAnswer(small.received()).status).toBe(200)
})

test('the body of a request that is answered before its end is not an unfinished header', async () => {
  const { port, sockets } = await listen({ connections: 10, header_bytes: 64 * KIB })
  const [half, rest] = ['x'.repeat(500 * KIB), 'x'.repeat(524 * KIB)]
  const refused_early = await open(port, `${GET('/healthz')}Content-Length: ${1_024 * KIB}\r\n\r\n`)
  await until(() => expect(refused_early.received()).toContain('200 OK'))
  refused_early.send(half)
  await until(() => expect(sockets[0]?.bytesRead).toBeGreaterThan(half.length))
  // It is closed by the look at all connections that would close the other one first.
  const header = await open(port, `${GET('/healthz')}X-Large: ${'x'.repeat(100 * KIB)}`)
  await until(() => expect(header.isClosed()).toBe(true))
  expect(refused_early.isClosed()).toBe(false)
  refused_early.send(`${rest}${GET('/healthz')}Connection: close\r\n\r\n`)
  await until(() => expect(refused_early.isClosed()).toBe(true))
  expect(refused_early.received().match(/200 OK/g)).toHaveLength(2)
})

describe('at the limit', () => {
  test('the connection that has waited longest makes room, one whose request is at work does not', async () => {
    const gate = Promise.withResolvers<boolean>()
    const { port } = await listen({ connections: 3, header_bytes: KIB * KIB }, () => gate.promise)
    const working = await open(port, `${GET('/readyz')}Connection: close\r\n\r\n`)
    const kept = await open(port, `${GET('/healthz')}\r\n`)
    await until(() => expect(kept.received()).toContain('200 OK'))
    const half = await open(port, 'GET /healthz HTTP/1.1\r\nHo')
    expect(await ask(port)).toBe(200)
    await until(() => expect(kept.isClosed()).toBe(true))
    expect([working.isClosed(), half.isClosed()]).toEqual([false, false])
    await open(port, 'GET')
    await open(port, 'GET')
    await until(() => expect(half.isClosed()).toBe(true))
    gate.resolve(true)
    await until(() => expect(working.received()).toContain('200 OK'))
  })

  test('a new one is closed where all others are at work', async () => {
    const gate = Promise.withResolvers<boolean>()
    let asked = 0
    const ready = () => {
      asked++
      return gate.promise
    }
    const { port } = await listen({ connections: 2, header_bytes: KIB * KIB }, ready)
    const working = [await open(port, `${GET('/readyz')}\r\n`), await open(port, `${GET('/readyz')}\r\n`)]
    await until(() => expect(asked).toBe(2))
    const third = await open(port, '')
    await until(() => expect(third.isClosed()).toBe(true))
    expect(working.map((one) => one.isClosed())).toEqual([false, false])
    gate.resolve(true)
    for (const one of working) await until(() => expect(one.received()).toContain('200 OK'))
    expect(await ask(port)).toBe(200)
  })

  test('the body that arrives most slowly makes room', async () => {
    const { app, port } = await listen({ connections: 3, header_bytes: KIB * KIB })
    let begun = 0
    app.server.on('request', () => begun++)
    const bodies: RawConnection[] = []
    for (let at = 0; at < 3; at++) {
      bodies.push(await open(port, 'POST /reads-body HTTP/1.1\r\nHost: x\r\nContent-Length: 2000\r\n\r\n'))
    }
    await until(() => expect(begun).toBe(3))
    const [first, second, third] = bodies as [RawConnection, RawConnection, RawConnection]
    for (const one of [first, third]) one.send('x'.repeat(1_000))
    // Bodies of less than a second are not judged.
    await sleep(1_500)
    await until(async () => expect(await ask(port).catch(() => 0)).toBe(200))
    expect(bodies.map((one) => one.isClosed())).toEqual([false, true, false])
    expect(second.received()).toBe('')
    for (const one of [first, third]) {
      one.send('x'.repeat(1_000))
      await until(() => expect(one.received()).toContain('2000'))
    }
  })

  test('one whose answer is not fetched makes room', async () => {
    const { port, app } = await listen({ connections: 2, header_bytes: KIB * KIB })
    const lazy: Socket[] = []
    for (let at = 0; at < 2; at++) {
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => {})
      ends.push(() => socket.destroy())
      lazy.push(socket)
      // More answers than the buffers of both ends hold.
      await new Promise((resolve) => socket.once('connect', resolve))
      socket.pause()
      const answering = new Promise((resolve) => app.server.once('request', resolve))
      socket.write(`${GET('/v1/openapi.json')}\r\n`.repeat(100))
      await answering
    }
    await until(async () => expect(await ask(port).catch(() => 0)).toBe(200))
  })
})

test('half a header is waited for 15 seconds, and then refused; a connection without a byte is closed in silence', async () => {
  const { port, app } = await listen({ connections: 10, header_bytes: KIB * KIB })
  expect(app.server.headersTimeout).toBe(15_000)
  // A shorter limit, so that the test does not have to wait.
  app.server.headersTimeout = 100
  const half = await open(port, `${GET('/healthz')}X-Half: `)
  const unused = await open(port, '')
  await until(() => expect([half.isClosed(), unused.isClosed()]).toEqual([true, true]))
  expect(parseAnswer(half.received())).toMatchObject({ status: 400 })
  expect(unused.received()).toBe('')
})

test('the stores keep half of the files that the process may open', () => {
  expect(connectionLimits(1_024).connections).toBe(512)
  expect(connectionLimits(1_000_000).connections).toBe(MAX_CONNECTIONS)
  expect(connectionLimits().connections).toBeGreaterThan(0)
})
