import { METHODS } from 'node:http'
import { setTimeout as pause, setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FunnelList, getAnalyticsFunnels } from '#contract/site-api/funnels.ts'
import { Refusal } from '#refusal.ts'
import { answersOf } from '../../support/arbitrary.ts'
import { REBUILD, readCsv } from '../../support/csv.ts'
import { openConnection } from '../../support/raw-http.ts'
import {
  bearer,
  KEY,
  parseRaw,
  type Service,
  SITE_ID,
  startService,
  type Table,
  unknownMeta,
  unknownPerformance,
} from './service.ts'

const started: Service[] = []
const start = async (over: Table = {}, ready?: () => Promise<boolean>) => {
  const service = await startService(over, ready)
  started.push(service)
  return service
}
let service: Service
beforeAll(async () => {
  service = await start()
})
afterAll(() => Promise.all(started.map(({ app }) => app.close())))

const PERFORMANCE = `/v1/sites/${SITE_ID}/performance`
const get = (from: Service, url: string) => from.app.inject({ url, headers: bearer })

describe('an answer', () => {
  test('null stays null and is never written as zero', async () => {
    const answer = await get(service, PERFORMANCE)
    expect(answer.body).toContain('"observed_request_count":null')
    expect(answer.body).toContain('"registry_version":null')
    expect((await get(service, `/v1/sites/${SITE_ID}/top-pages`)).json().total_count).toBeNull()
  })

  test('unknown fields pass through, and large counts stay exact', async () => {
    const large = await start({
      getPerformance: async () => ({ ...unknownPerformance, observed_request_count: 9_007_199_254_740_991, more: [1] }),
    })
    const answer = await get(large, PERFORMANCE)
    expect(answer.body).toContain('"observed_request_count":9007199254740991')
    expect(answer.json().more).toEqual([1])
  })

  test.each<[string, Record<string, unknown>]>([
    ['a count as text', { observed_request_count: '5' }],
    ['a fraction', { observed_request_count: 1.5 }],
    ['not a number', { observed_request_count: Number.NaN }],
    ['a negative count', { observed_request_count: -1 }],
    ['a count that JSON cannot hold', { observed_request_count: 2 ** 60 }],
    ['a bigint', { observed_request_count: 5n }],
    ['a missing count', { observed_request_count: undefined }],
    ['an unknown coverage state', { meta: { ...unknownMeta, coverage_state: 'fine' } }],
    ['an instant without milliseconds', { meta: { ...unknownMeta, as_of: '2026-03-01T12:00:00Z' } }],
    ['a day that does not exist', { daily: [{ date: '2026-02-30', crawler_id: 'x', observed_request_count: 1 }] }],
    ['an observed outcome without a status', outcome('2xx', null)],
    ['an unobserved response with a status', outcome('response_unobserved', 200)],
    ['a bigint in a field of no contract', { more: 5n }],
  ])('%s is a bug: 500 with a fixed sentence, logged, never coerced', async (_name, fields) => {
    const broken = await start({ getPerformance: async () => ({ ...unknownPerformance, ...fields }) })
    const answer = await get(broken, PERFORMANCE)
    expect([answer.statusCode, answer.json().type]).toEqual([500, 'urn:spoor:problem:internal_error'])
    expect(answer.json().detail).toMatch(/^The service failed to answer\./)
    expect(broken.log.some((line) => JSON.parse(line).level === 50)).toBe(true)
  })

  test('anything thrown that is not a refusal is 500 without its words', async () => {
    const broken = await start({ getSources: () => Promise.reject(new Error('secret words')) })
    const answer = await get(broken, `/v1/sites/${SITE_ID}/sources`)
    expect(answer.statusCode).toBe(500)
    expect(answer.body).not.toContain('secret')
  })

  test('closed statuses: a refusal whose status the operation does not declare is 500', async () => {
    for (const kind of ['reader_unavailable', 'store_busy', 'not_readable', 'conflict'] as const) {
      const broken = await start({
        getSources: async () => {
          throw new Refusal(kind, 'words')
        },
      })
      expect((await get(broken, `/v1/sites/${SITE_ID}/sources`)).statusCode).toBe(500)
    }
  })

  test('CSV has the same content as JSON, and passes the same check', async () => {
    const [list] = fc.sample(answersOf(getAnalyticsFunnels.output), { numRuns: 1, seed: 1 }) as FunnelList[]
    const funnels = `/v1/sites/${SITE_ID}/funnels`
    const right = await start({ getAnalyticsFunnels: async () => list as FunnelList })
    const csv = await get(right, `${funnels}?format=csv`)
    expect([csv.statusCode, csv.headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
    const rebuilt = REBUILD.getAnalyticsFunnels?.(readCsv(csv.body).records)
    expect(rebuilt).toEqual((await get(right, `${funnels}?format=json`)).json())
    const wrong = await start({ getAnalyticsFunnels: async () => ({ ...list, more: 1 }) as unknown as FunnelList })
    expect((await get(wrong, `${funnels}?format=csv`)).statusCode).toBe(500)
  })

  test('HEAD answers like GET, without the body', async () => {
    const full = await get(service, PERFORMANCE)
    const head = await service.app.inject({ method: 'HEAD', url: PERFORMANCE, headers: bearer })
    expect([head.statusCode, head.body]).toEqual([200, ''])
    expect(head.headers['content-type']).toBe(full.headers['content-type'])
    expect(head.headers['content-length']).toBe(String(Buffer.byteLength(full.body)))
    expect((await service.app.inject({ method: 'HEAD', url: PERFORMANCE })).statusCode).toBe(401)
    expect((await service.app.inject({ method: 'HEAD', url: '/v1/sites/x/access-checks' })).statusCode).toBe(405)
  })

  test('every answer names its request, and no two share a name', async () => {
    const urls = [PERFORMANCE, '/v1/nowhere', '/v1/%zz', '/healthz', '/docs', `/v1/sites/${'a'.repeat(301)}/issues`]
    const ids = new Set<unknown>()
    for (const url of urls) {
      const answer = await service.app.inject({ url, headers: { 'x-request-id': 'mine' } })
      expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
      expect(answer.headers['x-content-type-options']).toBe('nosniff')
      ids.add(answer.headers['x-request-id'])
    }
    expect(ids.size).toBe(urls.length)
  })

  test('answers with data are not to be stored', async () => {
    expect((await get(service, PERFORMANCE)).headers['cache-control']).toBe('no-store')
    expect((await service.app.inject('/v1/sites')).headers['cache-control']).toBe('no-store')
  })
})

describe('authentication', () => {
  test('the scheme is case-insensitive', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      const answer = await service.app.inject({ url: '/v1/sites', headers: { authorization: `${scheme} ${KEY}` } })
      expect(answer.statusCode).toBe(200)
    }
  })
  test.each([
    '',
    'Bearer',
    'Bearer ',
    `Basic ${KEY}`,
    KEY,
    `Bearer ${KEY} more`,
    `Bearer "${KEY}"`,
    `Bearer ${KEY}x`,
    `Bearer,${KEY}`,
  ])('"%s" is 401', async (authorization) => {
    const answer = await service.app.inject({ url: '/v1/sites', headers: { authorization } })
    expect([answer.statusCode, answer.headers['www-authenticate']]).toEqual([401, 'Bearer'])
  })
  test('a secret of another kind is named as such, by its beginning alone', async () => {
    const detail = async (bearer: string) => {
      const answer = await service.app.inject({ url: '/v1/sites', headers: { authorization: `Bearer ${bearer}` } })
      expect(answer.statusCode).toBe(401)
      return answer.json<{ detail: string }>().detail
    }
    expect(await detail('spoor_src_any')).toBe(
      'The request carries a source token (spoor_src_…); send a site key (spoor_site_…) that is in force.',
    )
    expect(await detail('spoor_acct_any')).toContain('carries an account token (spoor_acct_…)')
    expect(await detail('spoor_site_any')).toBe(
      'The key is unrecognized or revoked; send a site key (spoor_site_…) that is in force.',
    )
  })
  test('a key in the URL is not a key', async () => {
    expect((await service.app.inject(`/v1/sites?key=${KEY}&access_token=${KEY}`)).statusCode).toBe(401)
  })
  test('the log holds neither keys nor addresses of clients nor URLs', async () => {
    await fetch(`http://127.0.0.1:${service.port}/v1/sites?token=${KEY}`, { headers: bearer })
    await service.raw(`GET /v1/sites HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEY}\r\nBad Header\r\n\r\n`)
    const requests = service.log.filter((line) => line.includes('answered'))
    expect(requests.length).toBeGreaterThan(0)
    for (const line of service.log) expect(line).not.toContain(KEY)
    for (const line of requests) expect(line).not.toMatch(/127\.0\.0\.1|\/v1/)
  })
})

describe('the service answers with no other status', () => {
  const line = (target: string, rest = '') => `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${rest}\r\n`
  test.each<[string, string]>([
    ['a URL of 10 KiB', line(`/v1/sites?a=${'x'.repeat(10_240)}`)],
    ['a URL of 40 KiB', line(`/v1/sites?a=${'x'.repeat(40_960)}`)],
    ['a URL of 140 KiB', line(`/v1/sites?a=${'x'.repeat(143_360)}`)],
    ['a site of 10 KiB', line(`/v1/sites/${'x'.repeat(10_240)}/performance`)],
    ['a header of 140 KiB', line('/v1/sites', `X-A: ${'x'.repeat(143_360)}\r\n`)],
    ['percent garbage in the path', line('/v1/%')],
    ['percent garbage in the query', line('/v1/sites?%=1')],
    ['bytes past ASCII', line('/v1/sites?a=\xff')],
    ['a fragment', line('/v1/sites#a')],
    ['a target that is not a path', line('v1/sites')],
    ['a lower-case method', line('/v1/sites').replace('GET', 'get')],
    ['an unknown method', line('/v1/sites').replace('GET', 'FETCH')],
    ['CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n'],
    ['no Host', 'GET /v1/sites HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['a header without a colon', line('/v1/sites', 'Bad Header\r\n')],
    ['two lengths', line('/v1/sites', 'Content-Length: 1\r\nContent-Length: 2\r\n')],
    ['a binary greeting', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\r\n\r\n'],
  ])('%s is a 400 problem', async (_name, request) => {
    const { status, headers, body } = parseRaw(await service.raw(request))
    expect(status).toBe(400)
    expect(headers.get('content-type')).toBe('application/problem+json')
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(body).toMatchObject({ type: 'urn:spoor:problem:malformed_request', status: 400 })
  })

  test.each([
    ['FETCH /v1/sites', '"FETCH" is not a known HTTP method'],
    ['get /v1/sites', '"get" is not a known HTTP method'],
    ['\x16\x03\x01', 'The request does not begin with an HTTP method'],
  ])('%j is refused with what is wrong and what to do', async (start, wrong) => {
    const { body } = parseRaw(await service.raw(`${start} HTTP/1.1\r\nHost: x\r\n\r\n`))
    expect(body).toMatchObject({ detail: expect.stringMatching(new RegExp(`^${wrong}.* such as GET or POST`)) })
  })

  test('a method is named of a later request of a connection too, and never a part of one', async () => {
    const { port } = service
    const first = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'
    const pipelined = await openConnection(port)
    pipelined.send(`${first}BREW /v1/sites HTTP/1.1\r\n\r\n`)
    await expect.poll(() => pipelined.received()).toContain('\\"BREW\\" is not a known HTTP method')
    const in_pieces = await openConnection(port)
    in_pieces.socket.setNoDelay(true)
    in_pieces.send('PO')
    await pause(100)
    in_pieces.send('OR /v1/sites HTTP/1.1\r\n\r\n')
    await expect.poll(() => in_pieces.received()).toContain('does not begin with an HTTP method')
  })

  test.each([
    ['long headers', `X-A: ${'x'.repeat(143_360)}\r\n`],
    ['many short headers', Array.from({ length: 1_001 }, (_, index) => `X-${index}: a\r\n`).join('')],
  ])('%s are refused with both limits', async (_name, headers) => {
    const { body } = parseRaw(await service.raw(line('/v1/sites', headers)))
    expect(body).toMatchObject({ detail: expect.stringMatching(/over 128 KiB.*more than 1,000 headers; send fewer/) })
  })

  test('every method that Node knows is 405 with Allow where it is not supported', async () => {
    for (const method of METHODS.filter((each) => !['GET', 'HEAD', 'CONNECT'].includes(each))) {
      const { status, headers, body } = parseRaw(await service.raw(line('/v1/sites').replace('GET', method)))
      expect([method, status, headers.get('allow')]).toEqual([method, 405, 'GET, HEAD'])
      expect(body).toMatchObject({ detail: `${method} is not supported here; supported: GET, HEAD.` })
      expect(JSON.parse(service.log.findLast((each) => each.includes('answered')) ?? '')).toMatchObject({ method })
      expect([method, parseRaw(await service.raw(line('/v1/nowhere').replace('GET', method))).status]).toEqual([
        method,
        404,
      ])
    }
  })

  test('an absolute target, a strange Expect and an Accept-Version are served as usual', async () => {
    const headers = `Authorization: Bearer ${KEY}\r\nExpect: miracles\r\nAccept-Version: 9.9.9\r\nUpgrade: h2c\r\n`
    expect(parseRaw(await service.raw(line('http://x/v1/sites', headers))).status).toBe(200)
  })

  test.each([
    '/v1',
    '/v1/',
    '/v1/sites/',
    '/V1/sites',
    '/v1//sites',
    '/v2/sites',
    `/v1/sites/${SITE_ID}`,
    `${PERFORMANCE}/`,
    '/v1/sites//performance',
    `/v1/sites/${SITE_ID}/funnels/`,
    `/v1/sites/${SITE_ID}/crawlers/?window=7d`,
    `/v1/sites/${SITE_ID}/issues//verify`,
    '/nowhere',
  ])('%s is an unknown path: 404 problem', async (url) => {
    const answer = await get(service, url)
    expect([answer.statusCode, answer.json().type]).toEqual([404, 'urn:spoor:problem:path_not_found'])
    expect(answer.headers['content-type']).toBe('application/problem+json')
  })

  test('after all of this the service still serves', async () => {
    expect((await get(service, PERFORMANCE)).statusCode).toBe(200)
  })
})

describe('public pages', () => {
  test('/v1/openapi.json needs no key and carries the contact', async () => {
    const document = (await service.app.inject('/v1/openapi.json')).json()
    expect(document.info).toMatchObject({ version: '1.0.0', contact: { email: 'support@example.com' } })
    const other = await service.app.inject({ method: 'POST', url: '/v1/openapi.json' })
    expect([other.statusCode, other.headers.allow]).toEqual([405, 'GET, HEAD'])
  })

  test('health and readiness say ok or not ok, nothing else', async () => {
    const failing = await start({}, () => Promise.reject(new Error('store at /secret/place')))
    const unready = await start({}, async () => false)
    for (const url of ['/healthz', '/readyz']) {
      const answer = await service.app.inject(url)
      expect([answer.statusCode, answer.body]).toEqual([200, 'ok'])
    }
    for (const not_ready of [failing, unready]) {
      const answer = await not_ready.app.inject('/readyz')
      expect([answer.statusCode, answer.body]).toEqual([503, 'not ok'])
      expect((await not_ready.app.inject('/healthz')).statusCode).toBe(200)
    }
  })
})

describe('a stop', () => {
  test('lets a running request end and refuses new ones', async () => {
    const reached = Promise.withResolvers<void>()
    const release = Promise.withResolvers<void>()
    const slow = await startService({
      getSources: async () => {
        reached.resolve()
        await release.promise
        return { sources: [] }
      },
    })
    const origin = `http://127.0.0.1:${slow.port}`
    const running = fetch(`${origin}/v1/sites/example.com/sources`, { headers: bearer })
    await reached.promise
    const closing = slow.app.close()
    while (slow.app.server.listening) await setImmediate()
    await expect(fetch(`${origin}/healthz`)).rejects.toThrow()
    release.resolve()
    const answer = await running
    expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close'])
    await closing
  })

  test('cuts off a request that never ends', async () => {
    const reached = Promise.withResolvers<void>()
    const stuck = await startService({
      getSources: () => {
        reached.resolve()
        return new Promise(() => {})
      },
    })
    const running = fetch(`http://127.0.0.1:${stuck.port}/v1/sites/example.com/sources`, { headers: bearer })
    const outcome = expect(running).rejects.toThrow()
    await reached.promise
    await stuck.app.close()
    await outcome
  })
})

function outcome(name: string, http_status: number | null): Record<string, unknown> {
  return {
    http_outcomes: [
      { outcome: name, observed_request_count: 1, statuses: [{ http_status, observed_request_count: 1 }] },
    ],
  }
}
