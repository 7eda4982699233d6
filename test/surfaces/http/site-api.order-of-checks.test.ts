import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operations } from '#contract/site-api/index.ts'
import { Refusal } from '#refusal.ts'
import { bearer, KEY, type Service, SITE_ID, SLUG, startService } from './service.ts'

let service: Service
beforeAll(async () => {
  service = await startService({
    getAnalyticsFunnel: async () => {
      throw new Refusal('not_found', 'No such funnel.')
    },
  })
})
afterAll(() => service.app.close())

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS' | 'HEAD'
const ask = async (method: Method, url: string, headers: Record<string, string> = {}, payload?: string) => {
  const answer = await service.app.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) })
  return {
    status: answer.statusCode,
    kind: method === 'HEAD' ? '' : answer.json().type,
    headers: answer.headers,
    body: answer.body,
  }
}
const at = (rest: string) => `/v1/sites/${SITE_ID}/${rest}`

describe('the order of the checks: the earlier one answers', () => {
  test.each<[string, number, string, Method, string, Record<string, string>]>([
    ['1 before 2: a malformed URL of an unknown path', 400, 'malformed_request', 'GET', '/v1/nowhere/%zz', {}],
    ['1 before 2: a malformed query of an unknown path', 400, 'malformed_request', 'GET', '/v1/nowhere?a=%', {}],
    ['1 before 3: a malformed query with a wrong method', 400, 'malformed_request', 'DELETE', '/v1/sites?a=%ff', {}],
    ['1 before 4: a malformed query without a key', 400, 'malformed_request', 'GET', '/v1/sites?a=%f', {}],
    ['1 before 5: a malformed site', 400, 'malformed_request', 'GET', '/v1/sites/%E0%A4%A/performance', bearer],
    ['2 before 3: an unknown path with a strange method', 404, 'path_not_found', 'DELETE', '/v1/nowhere', {}],
    ['2 before 4: an unknown path without a key', 404, 'path_not_found', 'GET', at('nowhere'), {}],
    ['3 before 4: a wrong method without a key', 405, 'method_not_allowed', 'POST', '/v1/sites', {}],
    [
      '3 before 5: a wrong method on a foreign site',
      405,
      'method_not_allowed',
      'PUT',
      '/v1/sites/other.example/funnels',
      bearer,
    ],
    [
      '3 before 7: a wrong method with a bad limit',
      405,
      'method_not_allowed',
      'PATCH',
      at('top-pages?limit=0'),
      bearer,
    ],
    ['4 before 5: no key on a foreign site', 401, 'unauthenticated', 'GET', '/v1/sites/other.example/performance', {}],
    ['4 before 7: no key and a bad window', 401, 'unauthenticated', 'GET', at('performance?window=2d'), {}],
    ['4 before 8: no key and a long window', 401, 'unauthenticated', 'GET', at('funnels?window=90d'), {}],
    ['4 before 9: no key on an unbuilt reader', 401, 'unauthenticated', 'GET', at('overview'), {}],
    [
      '5 before 7: a foreign site and a bad window',
      404,
      'site_not_found',
      'GET',
      '/v1/sites/other.example/performance?window=2d',
      bearer,
    ],
    [
      '5 before 8: a foreign site and a long window',
      404,
      'site_not_found',
      'GET',
      '/v1/sites/other.example/funnels?window=90d',
      bearer,
    ],
    [
      '5 before 9: a foreign site of an unbuilt reader',
      404,
      'site_not_found',
      'GET',
      '/v1/sites/other.example/overview',
      bearer,
    ],
    [
      '7 before 8: a bad limit and a long window',
      400,
      'invalid_parameter',
      'GET',
      at('funnels?window=90d&limit=0'),
      bearer,
    ],
    [
      '7 before 8: a bad slug and a long window',
      400,
      'invalid_parameter',
      'GET',
      at('funnels/nope?window=90d'),
      bearer,
    ],
    [
      '7 before 9: a bad window of an unbuilt reader',
      400,
      'invalid_parameter',
      'GET',
      at('overview?window=2d'),
      bearer,
    ],
    [
      '8 before 9: a long window of an unbuilt reader',
      422,
      'window_too_long',
      'GET',
      at('journeys?window=365d'),
      bearer,
    ],
    [
      '8 before 10: a long window of a missing funnel',
      422,
      'window_too_long',
      'GET',
      at(`funnels/${SLUG}?window=90d`),
      bearer,
    ],
    ['10: a missing funnel', 404, 'not_found', 'GET', at(`funnels/${SLUG}`), bearer],
  ])('%s', async (_name, status, kind, method, url, headers) => {
    const answer = await ask(method, url, headers)
    expect([answer.status, answer.kind]).toEqual([status, `urn:spoor:problem:${kind}`])
  })

  test('a POST without a key is 401 whatever its body is', async () => {
    for (const type of ['text/weird', 'not a media type', 'application/json']) {
      const answer = await ask('POST', at('access-checks'), { 'content-type': type }, 'x'.repeat(70_000))
      expect(answer.status).toBe(401)
    }
  })

  test('a body never answers before an unknown path or a wrong method', async () => {
    for (const [url, status] of [
      ['/v1/nowhere', 404],
      ['/v1/sites', 405],
    ] as const) {
      const answer = await ask('POST', url, { 'content-type': 'not a media type' }, 'x'.repeat(2_000_000))
      expect(answer.status).toBe(status)
    }
  })
})

describe('every operation', () => {
  test.each(operations.map((operation) => [operation.id, operation] as const))('%s', async (_id, operation) => {
    const url = operation.path.replace('{site}', 'example.com').replace('{funnel}', SLUG)
    const unauthenticated = await ask(operation.method, url)
    expect(unauthenticated.status).toBe(401)
    expect(unauthenticated.headers['www-authenticate']).toBe('Bearer')
    const refused = await ask(operation.method, url, { authorization: 'Bearer spoor_acct_other' })
    expect(refused.status).toBe(401)
    const allow = operation.method === 'GET' ? 'GET, HEAD' : 'POST'
    for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS', operation.method === 'GET' ? 'POST' : 'GET'] as const) {
      const answer = await ask(method, url, bearer)
      expect([method, answer.status, answer.headers.allow]).toEqual([method, 405, allow])
    }
    if (operation.path.includes('{site}')) {
      const foreign = url.replace('example.com', 'other.example')
      expect((await ask(operation.method, foreign, bearer)).kind).toBe('urn:spoor:problem:site_not_found')
    }
  })

  test.each(['overview', 'analytics-sources', 'pages', 'conversions', 'funnels', 'journeys', 'revenue'])(
    'the unbuilt reader %s answers 503 with the title of the table, never an empty list',
    async (reader) => {
      const answer = await ask('GET', at(reader), bearer)
      const titles: Record<string, string> = { 'analytics-sources': 'analytics sources unavailable' }
      expect(answer.status).toBe(503)
      expect(JSON.parse(answer.body).title).toBe(titles[reader] ?? `analytics ${reader} unavailable`)
    },
  )

  test('runAccessCheck answers 500, not built, after all other checks', async () => {
    const json = { ...bearer, 'content-type': 'application/json' }
    const check = await ask('POST', at('access-checks'), json, '{"url":"https://example.com/"}')
    expect([check.status, check.kind]).toEqual([500, 'urn:spoor:problem:not_built'])
    expect(check.body).not.toContain('at ')
    const other = await ask('POST', at('access-checks'), json, '{"url":"https://bücher.example.com/"}')
    expect(other.status).toBe(400)
    expect(JSON.parse(other.body).detail).toContain('is "https://bücher.example.com/"; allowed is a URI')
    for (const url of ['example.com/pricing', '', '//example.com/']) {
      const { detail } = JSON.parse((await ask('POST', at('access-checks'), json, JSON.stringify({ url }))).body)
      expect(detail).toContain(`url is "${url}"; allowed is a URL that begins with http:// or https://.`)
    }
  })

  test('a body that may be missing may be empty too, even if only its end shows that it is', async () => {
    const verify = (body: string) =>
      service.raw(
        `POST ${at(`issues/${SITE_ID}/verify`)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${KEY}\r\nTransfer-Encoding: chunked\r\n\r\n${body}0\r\n\r\n`,
      )
    expect(await verify('')).toContain('urn:spoor:problem:not_built')
    expect(await verify('2\r\n{}\r\n')).toContain('Content-Type is')
  })

  test('the refusal of an unknown path says where to look', async () => {
    const detailOf = async (path: string) => JSON.parse((await ask('GET', path, bearer)).body).detail
    expect(await detailOf('/v1/nowhere')).toBe('No such path; /v1/openapi.json lists all of them.')
    expect(await detailOf('/collect/')).toBe('No such path; /docs lists those of the APIs.')
  })
})
