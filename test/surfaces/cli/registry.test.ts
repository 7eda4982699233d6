/** The real command against a real TLS server on loopback, whose certificate and network the environment lets in. */
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { builtInDocument } from '#crawlers/registry/built-in.ts'
import { selfSigned } from '../../support/certificate.ts'
import { run, runJson, serve, workFolder } from '../../support/cli.ts'

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

let close: () => void
let env: Record<string, string>
let url: string
let place: ReturnType<typeof workFolder>
beforeEach(async () => {
  place = workFolder()
  const identity = selfSigned('localhost')
  const server = createServer(identity, (request, response) => {
    const [status, body, headers = {}] = PAGES[request.url ?? ''] ?? [404, 'not here']
    response.writeHead(status, headers).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  close = () => server.close()
  const { port } = server.address() as AddressInfo
  writeFileSync(place.file('ca.pem'), identity.cert)
  env = {
    NODE_EXTRA_CA_CERTS: place.file('ca.pem'),
    ...{ SPOOR_ALLOW_NETWORKS: '127.0.0.0/8,::1', SPOOR_ALLOW_PORTS: String(port) },
  }
  url = `https://localhost:${port}`
})
afterEach(() => close())

const update = (path: string) => ['registry', 'update', path, '--data', place.data]

describe('spoor registry update URL', () => {
  test('asks through the running server', async () => {
    await serve(place.data, [], { env })
    expect(await runJson(update(`${url}/moved`))).toMatchObject({ after: newer.version, changes: [] })
    expect(await runJson(['registry', 'show', '--data', place.data])).toMatchObject({ version: newer.version })
  })

  test('asks by itself where no server runs', async () => {
    expect(await runJson(update(`${url}/registry.json`), { env })).toMatchObject({ after: newer.version })
  })

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
    ['http://example.com/registry.json', /only https/],
    ['ftp://example.com/registry.json', /only https/],
    ['https://127.0.0.1/registry.json', /not public: the operator can allow its network with SPOOR_ALLOW_NETWORKS/],
    ['https://169.254.169.254/registry.json', /of a kind that is never asked/],
  ])('%s is not asked', async (address, message) => {
    expect(await run(update(address))).toMatchObject({ code: 1, stderr: expect.stringMatching(message) })
  })
})
