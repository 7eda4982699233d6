/** The tracker's endpoints over HTTP: keys, origins, limits, and the words of every refusal (rules 6). */
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { gunzipSync, gzipSync } from 'node:zlib'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '#config.ts'
import { registerCollect } from '#surfaces/http/collect.ts'
import { buildHttpServer } from '#surfaces/http/server.ts'
import { BROWSER, type Collecting, openCollecting } from '../../support/collect.ts'

const NOW = '2026-03-10T12:00:00Z'
const TIGHT = { address: { per_second: 10, burst: 20 }, site: { per_second: 1_000, burst: 10_000 } }
const OWN = { origin: 'https://example.com' }
let a: Collecting
let addresses = 0
let url: URL

beforeAll(async () => {
  a = await openCollecting(NOW, { limits: TIGHT })
  url = new URL(await a.service.http.listen({ host: '127.0.0.1', port: 0 }))
})
afterAll(() => a.close())

/** Each test is a client of its own. */
const client = () => ({ 'x-forwarded-for': `198.51.100.${++addresses}` })
const send = (body: unknown, headers: Record<string, string> = {}) => a.browser(body, { ...client(), ...headers })
const problem = (status: number, code: string) => ({
  status,
  headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store' },
  json: { type: `urn:spoor:problem:${code}`, status, code, detail: expect.stringMatching(/.{20,}/) },
})

describe('a body that cannot be read', () => {
  test.each([
    ['is empty', '', 400, 'malformed_body'],
    ['is not JSON', '{"v":1', 400, 'malformed_body'],
    ['is a number', '7', 400, 'malformed_body'],
    ['is an empty list', '[]', 400, 'malformed_body'],
    ['has 21 events', JSON.stringify(Array(21).fill({})), 400, 'malformed_body'],
    ['is longer than 64 KiB', `"${'x'.repeat(65_536)}"`, 413, 'body_too_large'],
    ['names no site', '{"v":1}', 401, 'site_key_missing'],
  ])('%s', async (_name, body, status, code) => {
    expect(await send(body)).toMatchObject(problem(status, code))
  })

  test('is of another type, or compressed', async () => {
    expect(await send(a.event(), { 'content-type': 'text/html' })).toMatchObject(
      problem(400, 'unsupported_content_type'),
    )
    expect(await send(a.event(), { 'content-encoding': 'gzip' })).toMatchObject(problem(400, 'unsupported_encoding'))
  })

  test('is counted for the site of the key', async () => {
    expect(await a.server('x'.repeat(65_537))).toMatchObject(problem(413, 'body_too_large'))
    expect(await a.server({}, { 'content-type': 'text/html' })).toMatchObject(problem(400, 'unsupported_content_type'))
    expect(await a.server('{')).toMatchObject(problem(400, 'malformed_body'))
    expect(await a.refused()).toMatchObject({ body_too_large: 1, unsupported_content_type: 1, malformed_body: 1 })
  })

  test('arrives in more than a thousand pieces', async () => {
    const inPieces = (count: number) =>
      new Promise<{ status: number | undefined; json: unknown }>((resolve, reject) => {
        const headers = { ...client(), ...OWN, 'user-agent': BROWSER, 'content-type': 'text/plain' }
        const asked = request(new URL('/collect', url), { method: 'POST', headers }, async (answer) =>
          resolve({ status: answer.statusCode, json: JSON.parse(await text(answer)) }),
        )
        asked.on('error', reject)
        asked.write(JSON.stringify(a.event()))
        for (let at = 1; at < count; at++) asked.write(' ')
        asked.end()
      })
    expect(await inPieces(1_024)).toMatchObject({ status: 202 })
    expect(await inPieces(1_025)).toMatchObject({ status: 400, json: { code: 'malformed_body' } })
  })
})

describe('keys', () => {
  test.each([
    ['unknown', 'spoor_pub_ffffffffffffffffffffffffffffffff'],
    ['a script', '<script>'],
    ['a key of surface A', `spoor_site_${'x'.repeat(43)}`],
  ])('%s is 401', async (_name, site) => {
    expect(await send(a.event({ site }))).toMatchObject(problem(401, 'unknown_key'))
  })

  test('each kind is refused at the endpoints of the others, which name it', async () => {
    const site_key = (await a.service.createKey()).secret
    for (const [site, detail] of [
      [a.server_key, /a server key of a tracker \(spoor_srv_…\); send the public id of a tracker \(spoor_pub_…\)/],
      [site_key, /carries a site key \(spoor_site_…\)/],
    ] as const) {
      const refused = await send(a.event({ site }))
      expect(refused).toMatchObject(problem(401, 'unknown_key'))
      expect(refused.json.detail).toMatch(detail)
    }
    for (const [bearer, detail] of [
      [a.public_key, /the public id of a tracker \(spoor_pub_…\); send a server key of a tracker \(spoor_srv_…\)/],
      [site_key, /carries a site key \(spoor_site_…\)/],
      ['x', /missing, unknown or revoked/],
    ] as const) {
      const refused = await a.server({}, { authorization: `Bearer ${bearer}` })
      expect(refused).toMatchObject({ ...problem(401, 'unknown_key'), headers: { 'www-authenticate': 'Bearer' } })
      expect(refused.json.detail).toMatch(detail)
    }
    expect(await a.service.ask('/v1/sites', { key: a.server_key })).toMatchObject({ status: 401 })
    expect(await a.service.ask('/collect/server', { method: 'POST', key: null, body: '{}' })).toMatchObject({
      status: 401,
    })
  })

  test('a revoked one is refused within seconds', async () => {
    const { db } = a.service.installation.control
    expect(await send(a.event())).toMatchObject({ status: 202 })
    await db.updateTable('tracker_keys').set({ revoked_at: 1 }).where('kind', '=', 'public').execute()
    a.service.clock.advance(2_000)
    expect(await send(a.event())).toMatchObject(problem(401, 'revoked_key'))
    await db.updateTable('tracker_keys').set({ revoked_at: null }).execute()
    a.service.clock.advance(2_000)
    expect(await send(a.event())).toMatchObject({ status: 202 })
  })

  test('a tracker that is switched off accepts nothing', async () => {
    const { db } = a.service.installation.control
    await db.updateTable('trackers').set({ disabled_at: 1 }).execute()
    a.service.clock.advance(2_000)
    expect(await send(a.event())).toMatchObject(problem(403, 'tracker_disabled'))
    expect(await a.server({})).toMatchObject(problem(403, 'tracker_disabled'))
    await db.updateTable('trackers').set({ disabled_at: null }).execute()
    a.service.clock.advance(2_000)
    expect(await a.refused()).toMatchObject({ tracker_disabled: 2 })
  })
})

describe('origins', () => {
  test.each(['https://example.com', 'http://example.com:8443', 'https://shop.example.com'])(
    '%s is the site, and may read the answer',
    async (origin) => {
      const answer = await send(a.event(), { origin })
      expect(answer).toMatchObject({ status: 202, headers: { 'access-control-allow-origin': origin, vary: 'Origin' } })
      expect(answer.headers).not.toHaveProperty('access-control-allow-credentials')
    },
  )

  test.each(['https://evil.test', 'https://example.com.evil.test', 'https://notexample.com', 'x'])(
    '%s is not, and gets no answer that it may read',
    async (origin) => {
      const answer = await send(a.event(), { origin })
      expect(answer).toMatchObject(problem(403, 'foreign_origin'))
      expect(answer.headers).not.toHaveProperty('access-control-allow-origin')
    },
  )

  test('a Referer replaces an opaque origin', async () => {
    const referer = 'https://www.example.com/page?x=1'
    expect(await send(a.event(), { origin: 'null', referer })).toMatchObject({ status: 202 })
    expect(await send(a.event(), { origin: 'null' })).toMatchObject(problem(403, 'origin_missing'))
    const refused = await a.refused()
    expect(refused).toMatchObject({ foreign_origin: 4, origin_missing: 1 })
  })

  test('a preflight is answered, without credentials', async () => {
    const ask = { method: 'OPTIONS', key: null, headers: OWN } as const
    expect(await a.service.ask('/collect', ask)).toMatchObject({
      status: 204,
      headers: {
        'access-control-allow-origin': 'https://example.com',
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers': 'content-type',
      },
    })
  })

  test.each([
    ['of which no event could be taken', () => a.event({ type: 'x' }), 422],
    ['with an unknown key', () => a.event({ site: 'spoor_pub_00000000000000000000' }), 401],
    ['that is too long', () => 'x'.repeat(65_537), 413],
  ])(
    'the answer to a request %s can be read by the page, so that it is not sent again',
    async (_name, body, status) => {
      const answer = await send(body())
      expect(answer).toMatchObject({ status, headers: { 'access-control-allow-origin': 'https://example.com' } })
    },
  )
})

test('an address that sends too much waits, and no other does', async () => {
  const mine = client()
  const batch = Array.from({ length: 20 }, () => a.event())
  expect(await a.browser(batch, mine)).toMatchObject({ status: 202 })
  const refused = await a.browser(batch, mine)
  expect(refused).toMatchObject({ ...problem(429, 'rate_limited') })
  expect(refused.headers).toMatchObject({ 'retry-after': '2', 'access-control-allow-origin': 'https://example.com' })
  expect(await send(a.event())).toMatchObject({ status: 202 })
  a.service.clock.advance(2_000)
  expect(await a.browser(batch, mine)).toMatchObject({ status: 202 })
  expect(await a.refused()).toMatchObject({ address_rate_limited: 20 })
})

test('an address that tries keys waits, at every endpoint; the valid key still works', async () => {
  const one = client()
  const unknown = () => `spoor_pub_${crypto.randomUUID()}`
  for (let at = 0; at < 100; at++) {
    expect(await a.browser(a.event({ site: unknown() }), one)).toMatchObject(problem(401, 'unknown_key'))
  }
  const refused = await a.browser(a.event({ site: unknown() }), one)
  expect(refused).toMatchObject({ ...problem(429, 'rate_limited') })
  expect(refused.headers).toMatchObject({ 'retry-after': '1' })
  const headers = { ...one, authorization: `Bearer spoor_srv_${crypto.randomUUID()}` }
  expect(await a.server({}, headers)).toMatchObject(problem(429, 'rate_limited'))
  expect(await a.service.ask(`/spoor.js?site=${unknown()}`, { key: null, headers: one })).toMatchObject({ status: 200 })
  expect(await send(a.event({ site: unknown() }))).toMatchObject(problem(401, 'unknown_key'))
  await send(a.event())
  expect(await a.browser(a.event(), one)).toMatchObject({ status: 202 })
  // What was known of it is believed no more, and the address has nothing left to try with.
  a.service.clock.advance(2_000)
  for (let at = 0; at < 20; at++) await a.browser(a.event({ site: unknown() }), one)
  expect(await a.browser(a.event({ site: unknown() }), one)).toMatchObject({ status: 429 })
  expect(await a.browser(a.event(), one)).toMatchObject({ status: 202 })
})

test('the addresses of one IPv6 network share a limit', async () => {
  const batch = Array.from({ length: 20 }, () => a.event())
  expect(await a.browser(batch, { 'x-forwarded-for': '2001:db8:1:2::1' })).toMatchObject({ status: 202 })
  expect(await a.browser(batch, { 'x-forwarded-for': '2001:db8:1:2:ffff::9' })).toMatchObject({ status: 429 })
})

test('other methods are answered with those that work', async () => {
  expect(await a.service.ask('/collect', { key: null })).toMatchObject({
    status: 405,
    headers: { allow: 'POST, OPTIONS' },
  })
  expect(await a.service.ask('/collect/server', { key: null })).toMatchObject({
    status: 405,
    headers: { allow: 'POST' },
  })
})

describe('the script', () => {
  const script = { body: Buffer.from('spoor()'), gzip: gzipSync('spoor()'), etag: 'W/"abc"' }
  const loads: unknown[] = []
  const serve = (given: typeof script | null) => {
    const nothing = async () => {
      throw new Error('not asked here')
    }
    const app = buildHttpServer({
      implementations: {},
      authenticate: nothing,
      admit: nothing,
      services: {},
      ready: async () => true,
      logger: pino({ level: 'silent' }),
      support_email: null,
    })
    const noteLoad = async (load: unknown) => void loads.push(load)
    registerCollect(app, {
      collector: { collect: nothing, collectFromServer: nothing, noteLoad },
      trusted_proxies: readConfig({}).trusted_proxies,
      log: pino({ level: 'silent' }),
      script: given,
    })
    return app
  }

  test('is public, kept for an hour, and not sent twice', async () => {
    const app = serve(script)
    const page = { referer: 'https://example.com/', 'user-agent': BROWSER }
    // What asks for the headers alone has not loaded it.
    expect(await app.inject({ method: 'HEAD', url: '/spoor.js?site=spoor_pub_x', headers: page })).toMatchObject({
      statusCode: 200,
      body: '',
    })
    const answer = await app.inject({ url: '/spoor.js?site=spoor_pub_x', headers: page })
    expect(answer).toMatchObject({ statusCode: 200, body: 'spoor()' })
    expect(answer.headers).toMatchObject({
      'cache-control': 'public, max-age=3600',
      etag: 'W/"abc"',
      'content-type': 'text/javascript; charset=utf-8',
      'cross-origin-resource-policy': 'cross-origin',
      'access-control-allow-origin': '*',
    })
    for (const known of ['W/"abc"', '"abc"', '"x", W/"abc"', '*']) {
      expect(await app.inject({ url: '/spoor.js', headers: { 'if-none-match': known } })).toMatchObject({
        statusCode: 304,
        body: '',
      })
    }
    expect(loads).toEqual([
      { key: 'spoor_pub_x', referer: 'https://example.com/', user_agent: BROWSER, network: '127.0.0.1' },
      ...Array(4).fill({ key: null, referer: undefined, user_agent: 'lightMyRequest', network: '127.0.0.1' }),
    ])
  })

  test('is compressed for clients that accept it', async () => {
    const app = serve(script)
    const packed = await app.inject({ url: '/spoor.js', headers: { 'accept-encoding': 'br, gzip' } })
    expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' })
    expect(gunzipSync(packed.rawPayload).toString()).toBe('spoor()')
    for (const encoding of ['identity', 'gzip;q=0']) {
      const plain = await app.inject({ url: '/spoor.js', headers: { 'accept-encoding': encoding } })
      expect(plain.headers).not.toHaveProperty('content-encoding')
    }
  })

  test('that was not built is an honest 503', async () => {
    expect(await serve(null).inject('/spoor.js')).toMatchObject({ statusCode: 503 })
  })

  test('proves the snippet of the one site that it is loaded for, once a day', async () => {
    const { collector } = a
    const proofs = () => a.service.installation.control.db.selectFrom('snippet_proofs').selectAll().execute()
    const load = (key: string | null, referer?: string, user_agent = BROWSER) =>
      collector.noteLoad({ key, referer, user_agent, network: '203.0.113.7' })
    await load('spoor_pub_0000000000000000')
    await load(null, 'https://other.test/')
    await load(a.public_key, 'https://other.test/')
    // A monitor of the script's URL has seen no page.
    await load(a.public_key, undefined, 'curl/8.0')
    expect(await proofs()).toEqual([])
    await load(null, 'https://www.example.com/x', 'curl/8.0')
    await load(a.public_key)
    const proof = { site_id: a.site.id, day: '2026-03-10', proof: 'script_load', proved_at: a.service.clock.now() }
    expect(await proofs()).toEqual([proof])
    expect(await a.service.ask(`/spoor.js?site=${a.public_key}`, { key: null })).toMatchObject({
      status: 200,
      text: expect.stringContaining('spoor'),
    })
  })
})

test('the short and the long path have the same answer', async () => {
  const headers = { 'user-agent': BROWSER, ...OWN, 'content-type': 'text/plain' }
  const over = (path: string, body: string) =>
    new Promise<[number | undefined, string[], unknown]>((resolve, reject) => {
      const asked = request({ host: url.hostname, port: url.port, path, method: 'POST', headers }, (answer) => {
        let body = ''
        answer.on('data', (piece) => {
          body += piece
        })
        const names = Object.keys(answer.headers).sort()
        answer.on('end', () => resolve([answer.statusCode, names, JSON.parse(body)]))
      })
      asked.on('error', reject)
      asked.end(body)
    })
  const body = JSON.stringify(a.event())
  // A query keeps a request out of the shortcut.
  expect(await over('/collect', body)).toEqual(await over('/collect?x=1', body))
  expect(await over('/collect', '{')).toEqual(await over('/collect?x=1', '{'))
  headers['content-type'] = 'garbage'
  expect(await over('/collect', body)).toEqual(await over('/collect?x=1', body))
})
