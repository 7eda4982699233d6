/** Real servers on loopback; only the name servers are a double, which answers what a test sets. */
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { readConfig } from '#config.ts'
import type { Endpoint } from '#outgoing/destination.ts'
import { configuredEndpoints } from '#outgoing/own-endpoints.ts'
import type { OutgoingRefusal } from '#outgoing/refused.ts'
import { resolveBy } from '#outgoing/resolve.ts'
import { type SafeFetchContext, type SafeFetchOptions, safeFetch } from '#outgoing/safe-fetch.ts'
import { selfSigned } from '../support/certificate.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

async function listen(server: Server, host = '127.0.0.1'): Promise<number> {
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  return (server.address() as AddressInfo).port
}

const serve = (listener: RequestListener, host?: string) => listen(createServer(listener), host)

/** The double of the name servers: each name's answers in turn, the last one for ever. */
function nameServers(names: Record<string, string[][]>): SafeFetchContext['resolve'] & { asked: string[] } {
  const asked: string[] = []
  const resolve = async (name: string) => {
    asked.push(name)
    const answers = names[name] ?? [[]]
    return (answers.length > 1 ? answers.shift() : answers[0]) ?? []
  }
  return Object.assign(resolve, { asked })
}

interface World {
  names?: SafeFetchContext['resolve']
  networks?: string
  ports?: readonly number[]
  endpoints?: readonly Endpoint[]
}

function context({
  names = nameServers({}),
  networks = '127.0.0.0/8',
  ports = [],
  endpoints = [],
}: World): SafeFetchContext {
  const config = readConfig({ SPOOR_ALLOW_NETWORKS: networks, SPOOR_ALLOW_PORTS: ports.join(',') })
  return { ...config, resolve: names, own_endpoints: () => endpoints }
}

const LIMITS = { max_bytes: 100_000, timeout_ms: 20_000 }
const ask = (world: World, url: string, options: Partial<SafeFetchOptions> = {}) =>
  safeFetch(context(world), url, { ...LIMITS, ...options })

async function code(world: World, url: string, options: Partial<SafeFetchOptions> = {}): Promise<string> {
  const error: OutgoingRefusal = await ask(world, url, options).then(
    () => expect.fail('it was answered'),
    (thrown) => thrown,
  )
  if (error.name !== 'Refusal') throw error
  return `${error.kind} ${error.code}`
}

describe('an answer', () => {
  test('has status, headers, body and URL; the server sees the name and the user agent', async () => {
    let seen: IncomingMessage['headers'] = {}
    const port = await serve((request, response) => {
      seen = request.headers
      response.writeHead(418, { 'x-own': 'yes' }).end('short')
    })
    const names = nameServers({ 'pot.test': [['127.0.0.1']] })
    const answer = await ask({ names, ports: [port] }, `http://pot.test:${port}/a?b#c`, {
      headers: { accept: 'text/plain' },
    })
    expect({ ...answer, body: answer.body.toString() }).toMatchObject({
      status: 418,
      body: 'short',
      url: `http://pot.test:${port}/a?b#c`,
      headers: { 'x-own': 'yes' },
    })
    expect(seen).toMatchObject({ host: `pot.test:${port}`, accept: 'text/plain' })
    expect(seen['user-agent']).toMatch(/^Spoor\//)
  })

  test('to a POST, which sends its body and follows no redirects', async () => {
    const port = await serve(async (request, response) => {
      let body = ''
      for await (const part of request) body += part
      response.writeHead(307, { location: '/elsewhere' }).end(`${request.method} ${body}`)
    })
    const answer = await ask({ ports: [port] }, `http://127.0.0.1:${port}/`, { method: 'POST', body: 'hook' })
    expect([answer.status, answer.body.toString()]).toEqual([307, 'POST hook'])
  })

  test.each([
    ['gzip', gzipSync('unfolded')],
    ['br', brotliCompressSync('unfolded')],
    ['zstd', zstdCompressSync('unfolded')],
  ])('in %s is decoded', async (encoding, body) => {
    const port = await serve((_, response) => response.writeHead(200, { 'content-encoding': encoding }).end(body))
    expect((await ask({ ports: [port] }, `http://127.0.0.1:${port}/`)).body.toString()).toBe('unfolded')
  })

  test('over TLS is checked against the name, not the address', async () => {
    const of = selfSigned('vendor.test')
    const port = await listen(createTlsServer(of, (_, response) => response.end('sealed')))
    const names = nameServers({ 'vendor.test': [['127.0.0.1']], 'other.test': [['127.0.0.1']] })
    const world = { names, ports: [port] }
    expect(await code(world, `https://vendor.test:${port}/`)).toBe('unreachable tls')
    setDefaultCACertificates([...getCACertificates('default'), of.cert])
    expect((await ask(world, `https://vendor.test:${port}/`)).body.toString()).toBe('sealed')
    expect(await code(world, `https://other.test:${port}/`)).toBe('unreachable tls')
  })
})

describe('refused before anything is sent', () => {
  test.each<readonly [string, string]>([
    ['not a url', 'malformed_url'],
    ['http://', 'malformed_url'],
    [`http://example.com/${'a'.repeat(9_000)}`, 'malformed_url'],
    ['ftp://example.com/', 'scheme'],
    ['file:///etc/passwd', 'scheme'],
    ['data:text/plain,hello', 'scheme'],
    ['http://user@example.com/', 'credentials'],
    ['http://:secret@example.com/', 'credentials'],
    ['http://example.com:22/', 'port'],
    ['http://example.com:8080/', 'port'],
    ...['127.0.0.1', '2130706433', '0177.0.0.1', '0x7f.1', '127.0.0.1.', '127.1', '0', '0.0.0.0', '[::1]', '[::]'].map(
      (host) => [`http://${host}/`, 'address'] as const,
    ),
    ...[
      '[::ffff:127.0.0.1]',
      '[64:ff9b::127.0.0.1]',
      '[2002:7f00:1::]',
      '[fe80::1]',
      '10.0.0.1',
      '169.254.169.254',
    ].map((host) => [`http://${host}/`, 'address'] as const),
    ['http://inside.test/', 'address'],
    ['http://half-inside.test/', 'address'],
  ])('%s', async (url, expected) => {
    const names = nameServers({ 'inside.test': [['10.0.0.1']], 'half-inside.test': [['93.184.216.34', 'fd00::1']] })
    expect(await code({ names, networks: '' }, url)).toBe(`invalid_input ${expected}`)
  })

  test('localhost, by name', async () => {
    expect(await code({ names: resolveBy([]), networks: '' }, 'http://localhost/')).toBe('invalid_input address')
    expect(await code({ names: resolveBy([]), networks: '' }, 'http://spoor.localhost/')).toBe('invalid_input address')
  })

  test('a message reveals no internal address', async () => {
    const names = nameServers({ 'inside.test': [['10.11.12.13']] })
    await expect(ask({ names, networks: '' }, 'http://inside.test/')).rejects.toThrow(
      /^(?!.*10\.11).*SPOOR_ALLOW_NETWORKS/,
    )
  })

  test('metadata, though its network is allowed', async () => {
    const names = nameServers({ 'metadata.test': [['169.254.169.254']] })
    expect(await code({ names, networks: '0.0.0.0/0' }, 'http://metadata.test/')).toBe('invalid_input address')
  })

  test.each([
    ['its own address', '127.0.0.1'],
    ['a name', 'spoor.test'],
    ['every address', '0.0.0.0'],
    ['every address of both families', '::'],
  ])('the service’s own endpoint, allowed or not: %s', async (_, host) => {
    let asked = 0
    const port = await serve((_request, response) => response.end(String(++asked)))
    const names = nameServers({ 'spoor.test': [['127.0.0.1']] })
    const world = { names, ports: [port], networks: '127.0.0.0/8,::/0', endpoints: [{ host, port }] }
    expect(await code(world, `http://127.0.0.1:${port}/`)).toBe('invalid_input address')
    expect(await code(world, `http://spoor.test:${port}/`)).toBe('invalid_input address')
    expect(await code(world, `http://[::ffff:127.0.0.1]:${port}/`)).toBe('invalid_input address')
    expect(asked).toBe(0)
  })
})

describe('the judged address is the connected one', () => {
  test('a name that changes its answer is resolved once, and the checked address is connected to', async () => {
    const seen: string[] = []
    const port = await serve((request, response) => {
      seen.push(String(request.socket.localAddress))
      response.end()
    }, '0.0.0.0')
    const names = nameServers({ 'turncoat.test': [['127.0.0.2'], ['127.0.0.1']] })
    await ask({ names, ports: [port], networks: '127.0.0.2/32' }, `http://turncoat.test:${port}/`)
    expect(seen).toEqual(['127.0.0.2'])
    expect(names.asked).toEqual(['turncoat.test'])
    expect(await code({ names, ports: [port], networks: '127.0.0.2/32' }, `http://turncoat.test:${port}/`)).toBe(
      'invalid_input address',
    )
    expect(seen).toHaveLength(1)
  })

  test('if one address refuses the connection, the next one is tried', async () => {
    const port = await serve((_, response) => response.end('second'))
    const names = nameServers({ 'two.test': [['127.0.0.9', '127.0.0.1']] })
    expect((await ask({ names, ports: [port] }, `http://two.test:${port}/`)).body.toString()).toBe('second')
  })
})

describe('redirects', () => {
  const redirecting = (to: (port: number) => string) => {
    let port = Number.NaN
    const seen: IncomingMessage['headers'][] = []
    const started = serve((request, response) => {
      seen.push({ ...request.headers, path: request.url })
      if (request.url === '/end') response.end('there')
      else response.writeHead(302, { location: to(port) }).end()
    })
    return started.then((at) => {
      port = at
      return { port, seen }
    })
  }

  test('are followed, and secrets are sent to the same origin only', async () => {
    const { port, seen } = await redirecting((at) => `http://other.test:${at}/end`)
    const names = nameServers({ 'one.test': [['127.0.0.1']], 'other.test': [['127.0.0.1']] })
    const headers = { authorization: 'Bearer secret', accept: 'text/html' }
    const answer = await ask({ names, ports: [port] }, `http://one.test:${port}/start`, { headers })
    expect(answer).toMatchObject({ status: 200, url: `http://other.test:${port}/end` })
    expect(seen[0]).toMatchObject({ authorization: 'Bearer secret' })
    expect(seen[1]).not.toHaveProperty('authorization')
    expect(seen[1]).toMatchObject({ accept: 'text/html' })
  })

  test('within an origin keep the headers', async () => {
    const { port, seen } = await redirecting(() => '/end')
    await ask({ ports: [port] }, `http://127.0.0.1:${port}/`, { headers: { authorization: 'Bearer secret' } })
    expect(seen[1]).toMatchObject({ authorization: 'Bearer secret', path: '/end' })
  })

  test.each([
    ['http://169.254.169.254/latest', 'invalid_input address'],
    ['http://inside.test/', 'invalid_input address'],
    ['http://127.0.0.1:1/', 'invalid_input port'],
    ['file:///etc/passwd', 'invalid_input scheme'],
    ['http://user:word@example.com/', 'invalid_input credentials'],
    ['http://[', 'unreachable malformed_redirect'],
    ['/again', 'unreachable too_many_redirects'],
  ])('to %s end there', async (location, expected) => {
    const { port } = await redirecting(() => location)
    const names = nameServers({ 'inside.test': [['10.0.0.1']] })
    expect(await code({ names, ports: [port] }, `http://127.0.0.1:${port}/`)).toBe(expected)
  })

  test('to plain HTTP end if only HTTPS is allowed', async () => {
    expect(await code({}, 'http://127.0.0.1/', { schemes: ['https'] })).toBe('invalid_input scheme')
  })

  test('are counted, and none are followed when none are wanted', async () => {
    const { port, seen } = await redirecting(() => '/again')
    expect(await code({ ports: [port] }, `http://127.0.0.1:${port}/`, { redirects: 2 })).toMatch(/too_many_redirects/)
    expect(seen).toHaveLength(3)
    const answer = await ask({ ports: [port] }, `http://127.0.0.1:${port}/`, { redirects: 0 })
    expect(answer).toMatchObject({ status: 302, headers: { location: '/again' } })
  })
})

describe('an answer without an end', () => {
  const soon = { timeout_ms: 300 }

  test('a body that is too long, with and without a declared length', async () => {
    const reported = await serve((_, response) => response.end(Buffer.alloc(100_001)))
    const endless = await serve((_, response) => {
      const more = () => response.write(Buffer.alloc(65_536), () => response.destroyed || setImmediate(more))
      more()
    })
    expect(await code({ ports: [reported] }, `http://127.0.0.1:${reported}/`)).toBe('unreachable too_long')
    expect(await code({ ports: [endless] }, `http://127.0.0.1:${endless}/`)).toBe('unreachable too_long')
    const exact = await serve((_, response) => response.end(Buffer.alloc(100_000)))
    expect((await ask({ ports: [exact] }, `http://127.0.0.1:${exact}/`)).body).toHaveLength(100_000)
  })

  // The quality that is the default takes seconds of the processor for a body that is not much smaller.
  const quickly = { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } }
  test.each([
    ['gzip', gzipSync(Buffer.alloc(50_000_000))],
    ['br', brotliCompressSync(Buffer.alloc(50_000_000), quickly)],
    ['zstd', zstdCompressSync(Buffer.alloc(50_000_000))],
  ])('a small %s body that unfolds to a huge one', async (encoding, body) => {
    expect(body.length).toBeLessThan(100_000)
    const port = await serve((_, response) => response.writeHead(200, { 'content-encoding': encoding }).end(body))
    expect(await code({ ports: [port] }, `http://127.0.0.1:${port}/`)).toBe('unreachable too_long')
  })

  test.each([
    ['gzip', 'no gzip'],
    ['deflate', 'x'],
    ['gzip, gzip', gzipSync(gzipSync('x'))],
    ['constructor', 'x'],
  ])('the encoding %s that is none', async (encoding, body) => {
    const port = await serve((_, response) => response.writeHead(200, { 'content-encoding': encoding }).end(body))
    expect(await code({ ports: [port] }, `http://127.0.0.1:${port}/`)).toBe('unreachable encoding')
  })

  test('headers and bodies that arrive byte by byte, or never', async () => {
    const silent = await listen(createTcpServer((socket) => socket.on('error', () => {})))
    const drip = (first: string) =>
      listen(
        createTcpServer((socket) => {
          socket.write(first)
          const timer = setInterval(() => socket.write('a'), 20)
          socket.on('error', () => {}).on('close', () => clearInterval(timer))
        }),
      )
    const headers = await drip('HTTP/1.1 200 OK\r\nx-slow: ')
    const body = await drip('HTTP/1.1 200 OK\r\ncontent-length: 90000\r\n\r\n')
    const endless = await drip('HTTP/1.1 200 OK\r\n\r\n')
    const ports = [silent, headers, body, endless]
    for (const port of ports)
      expect(await code({ ports }, `http://127.0.0.1:${port}/`, soon)).toBe('unreachable timeout')
  })

  test('a body without a declared length that breaks off does not count as complete', async () => {
    const port = await listen(
      createTcpServer((socket) => {
        socket.on('error', () => {}).write('HTTP/1.1 200 OK\r\n\r\nUser-agent: *\n')
        setTimeout(() => socket.resetAndDestroy(), 50)
      }),
    )
    expect(await code({ ports: [port] }, `http://127.0.0.1:${port}/`)).toBe('unreachable broken_off')
  })

  test('a name that does not resolve', async () => {
    const names: SafeFetchContext['resolve'] = (_, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    expect(await code({ names }, 'http://slow.test/', soon)).toBe('unreachable timeout')
  })

  test('headers that are too long, and answers that are not HTTP', async () => {
    const speaking = (text: string) => listen(createTcpServer((socket) => socket.on('error', () => {}).end(text)))
    const long = await speaking(`HTTP/1.1 200 OK\r\nx-long: ${'a'.repeat(20_000)}\r\n\r\n`)
    const other = await speaking('220 mail.test ESMTP\r\n')
    const short = await speaking('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf')
    const ports = [long, other, short]
    expect(await code({ ports }, `http://127.0.0.1:${long}/`)).toBe('unreachable headers_too_long')
    expect(await code({ ports }, `http://127.0.0.1:${other}/`)).toBe('unreachable broken_off')
    expect(await code({ ports }, `http://127.0.0.1:${short}/`)).toBe('unreachable broken_off')
  })

  test('a host without a listener or an address is unreachable', async () => {
    const closed = await serve(() => {})
    await new Promise((resolve) => servers.pop()?.close(resolve))
    expect(await code({ ports: [closed] }, `http://127.0.0.1:${closed}/`)).toBe('unreachable not_connected')
    expect(await code({}, 'http://nobody.test/')).toBe('unreachable no_address')
  })

  test('a request that its caller aborts ends with the caller’s reason', async () => {
    const port = await serve(() => {})
    const reason = new Error('stopping')
    const stop = new AbortController()
    const asked = ask({ ports: [port] }, `http://127.0.0.1:${port}/`, { signal: stop.signal })
    stop.abort(reason)
    await expect(asked).rejects.toBe(reason)
  })
})

test('the endpoints in the configuration', () => {
  const endpoints = (environment: Record<string, string>) =>
    configuredEndpoints(readConfig(environment)).map(({ host, port }) => `${host} ${port}`)
  expect(endpoints({})).toEqual(['127.0.0.1 8080', '127.0.0.1 9464'])
  const database = (SPOOR_DATABASE_URL: string) => endpoints({ SPOOR_METRICS_LISTEN: 'off', SPOOR_DATABASE_URL }).at(-1)
  expect(database('postgres://user:word@db.internal/spoor')).toBe('db.internal 5432')
  expect(database('postgres://user:word@[::1]:6000/spoor')).toBe('[::1] 6000')
  expect(database('postgres://user@/spoor?host=db2&port=6001')).toBe('db2 6001')
  expect(database('postgres:///spoor')).toBe('localhost 5432')
  expect(database('postgres:///spoor?host=/var/run/postgresql')).toBe('127.0.0.1 8080')
})
