/**
 * The real command against a real TLS server on loopback, whose certificate is trusted and whose network the
 * environment lets in.
 */
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { builtInDocument } from '#crawlers/registry/built-in.ts'
import { selfSigned } from '../../support/certificate.ts'
import { openPrepared, preparedFolder, run, runJson, serve, type Work } from '../../support/cli.ts'

const newer = { ...builtInDocument, version: '2099-01-01.1' }
const PAGES: Record<string, [number, string | Buffer, Record<string, string>?]> = {
  '/registry.json': [200, JSON.stringify(newer)],
  '/moved': [301, '', { location: '/registry.json' }],
  '/plain': [302, '', { location: 'http://localhost/registry.json' }],
  '/page': [200, '<!doctype html>'],
  '/latin': [200, Buffer.from('"\xe9"', 'latin1')],
  '/shape': [200, '{"version":"2099-01-01.1"}'],
  '/long': [200, Buffer.alloc(9_000_000, ' ')],
}

const identity = selfSigned('localhost')
const trusted = getCACertificates('default')
let close: () => void
let env: Record<string, string>
let url: string
let place: Work
beforeAll(async () => {
  setDefaultCACertificates([...trusted, identity.cert])
  place = await openPrepared()
  const server = createServer(identity, (request, response) => {
    const [status, body, headers = {}] = PAGES[request.url ?? ''] ?? [404, 'not here']
    response.writeHead(status, headers).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  close = () => server.close()
  const { port } = server.address() as AddressInfo
  env = { SPOOR_ALLOW_NETWORKS: '127.0.0.0/8,::1', SPOOR_ALLOW_PORTS: String(port) }
  url = `https://localhost:${port}`
})
afterAll(() => {
  close()
  place.remove()
  setDefaultCACertificates(trusted)
})

const update = (path: string) => ['registry', 'update', path, '--data', place.data]

describe('spoor registry update URL', () => {
  test.each([
    ['/missing', /localhost:\d+ answered 404 instead of a registry; nothing was loaded/],
    ['/page', /the registry is not JSON .*nothing was loaded/],
    ['/latin', /the registry is not UTF-8/],
    ['/shape', /registry/],
    ['/long', /longer than the 8,388,608 bytes/],
    ['/plain', /only https/],
  ])('%s is refused whole', async (path, message) => {
    const ended = await run(update(url + path), { env })
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringMatching(message) })
    expect(await runJson(['registry', 'show', '--data', place.data])).toMatchObject({
      version: builtInDocument.version,
    })
  })

  test.each([
    ['http://example.com/registry.json', 2, /only https/],
    ['ftp://example.com/registry.json', 2, /only https/],
    ['https://127.0.0.1/registry.json', 1, /not public: the operator can allow its network with SPOOR_ALLOW_NETWORKS/],
    ['https://169.254.169.254/registry.json', 1, /of a kind to which requests are never sent/],
  ])('%s is not asked', async (address, code, message) => {
    expect(await run(update(address))).toMatchObject({ code, stderr: expect.stringMatching(message) })
  })

  test('fetches by itself if no server runs', async () => {
    expect(await runJson(update(`${url}/registry.json`), { env })).toMatchObject({ after: newer.version })
  })

  test('fetches through the running server', async () => {
    const { data } = await preparedFolder()
    await serve(data, [], { env })
    const moved = ['registry', 'update', `${url}/moved`, '--data', data]
    expect(await runJson(moved)).toMatchObject({ after: newer.version, changes: [] })
    expect(await runJson(['registry', 'show', '--data', data])).toMatchObject({ version: newer.version })
  })
})
