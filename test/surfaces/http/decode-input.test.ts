import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PURPOSES } from '#contract/vocabulary.ts'
import { anyText } from '../../support/any-text.ts'
import { bearer, type Service, SITE_ID, SLUG, startService } from './service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.app.close())

const get = (rest: string) => service.app.inject({ url: `/v1/sites/${SITE_ID}/${rest}`, headers: bearer })

const post = async (rest: string, payload: object) => {
  const url = `/v1/sites/${SITE_ID}/${rest}`
  return (await service.app.inject({ method: 'POST', url, headers: bearer, payload })).json().detail
}

describe('strict parameters', () => {
  test('forms are named in words', async () => {
    expect(await post('issues/xyz/verify', {})).toBe('issue is "xyz"; allowed is a UUID.')
    const detail = async (rest: string) => (await get(rest)).json().detail
    const ascii = 'allowed is printable ASCII text, of 1 to 64 characters.'
    expect(await detail('crawlers/%C3%A9')).toBe(`crawler_id is "é"; ${ascii}`)
    expect(await detail(`crawlers/${'x'.repeat(65)}`)).toBe(`crawler_id is "${'x'.repeat(65)}"; ${ascii}`)
    expect(await detail('funnels/checkout')).toBe(
      'funnel is "checkout"; allowed is a slug that ends with a hyphen and 32 hexadecimal digits, of 34 to 64 characters.',
    )
    expect(await post('access-checks', { url: 'ftp://example.com' })).toMatch(
      /^url must be a URL that begins with http:\/\/ or https:\/\/\./,
    )
    expect(await post('access-checks', {})).toMatch(/^The body must have url\./)
    expect(await post('access-checks', [])).toMatch(/^The body must be an object\./)
  })

  test.each([
    'performance?window=2d',
    'performance?window=30D',
    'performance?window=',
    'performance?window',
    'performance?window=30d&window=30d',
    'performance?window=30d&w%69ndow=30d',
    'performance?window=30d%20',
    'performance?window=+30d',
    'performance?purpose=',
    'performance?purpose=bot',
    'performance?purpose=search,,training',
    'performance?purpose=search,',
    'performance?purpose=search,%20training',
    'performance?purpose=Search',
    'performance?purpose=search&purpose=training',
    'top-pages?limit=0',
    'top-pages?limit=51',
    'top-pages?limit=5.5',
    'top-pages?limit=1e1',
    'top-pages?limit=+5',
    'top-pages?limit=-5',
    'top-pages?limit=05',
    'top-pages?limit=0x5',
    'top-pages?limit=5%20',
    'top-pages?limit=%D9%A5',
    `top-pages?limit=${'9'.repeat(400)}`,
    'top-pages?limit=',
    'top-pages?limit=5&limit=5',
    'issues?limit=51',
    'pages?limit=101',
    'conversions?limit=101',
    'funnels?limit=101',
    'journeys?limit=101',
    'overview?format=xml',
    'overview?format=CSV',
    'overview?format=',
    `funnels/${SLUG}?revision=0`,
    `funnels/${SLUG}?revision=2147483648`,
    `funnels/${SLUG.toUpperCase()}`,
    `funnels/${'a'.repeat(33)}`,
    'revenue?window=90d',
    'revenue?window=91d',
    'funnels?window=91d',
  ])('%s is refused with 400', async (rest) => {
    const answer = await get(rest)
    expect(answer.statusCode).toBe(400)
    expect(answer.headers['content-type']).toBe('application/problem+json')
    expect(answer.json().status).toBe(400)
  })

  test.each(['funnels', `funnels/${SLUG}`, 'journeys'])('%s refuses a window over 30 days with 422', async (path) => {
    for (const window of ['90d', '180d', '365d']) expect((await get(`${path}?window=${window}`)).statusCode).toBe(422)
    for (const window of ['3d', '7d', '30d']) expect((await get(`${path}?window=${window}`)).statusCode).toBe(503)
  })

  test.each(['3d', '7d', '30d', '90d', '180d', '365d'])('window %s is accepted', async (window) => {
    expect((await get(`performance?window=${window}`)).statusCode).toBe(200)
  })

  test('bounds of limit are inclusive and the effective limit is echoed', async () => {
    for (const limit of [1, 50]) expect((await get(`top-pages?limit=${limit}`)).json().limit).toBe(limit)
    expect((await get('top-pages')).json().limit).toBe(50)
  })

  test('the purpose filter counts each purpose once and lists them in canonical order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...PURPOSES), { minLength: 1, maxLength: 8 }), async (given) => {
        const answer = await get(`performance?purpose=${given.join(',')}`)
        expect(answer.json().meta.purpose_filter).toEqual(PURPOSES.filter((purpose) => given.includes(purpose)))
      }),
      { numRuns: 50 },
    )
    expect((await get('performance')).json().meta.purpose_filter).toEqual(['search', 'assistant', 'unknown'])
    expect((await get('performance?purpose=training%2Csearch')).json().meta.purpose_filter).toEqual([
      'search',
      'training',
    ])
  })

  test('unknown parameters are ignored, even repeated, empty or strange', async () => {
    expect((await get('performance?a=1&a=2&b=&__proto__=x&constructor&=&&limit=0')).statusCode).toBe(200)
    expect((await service.app.inject({ url: '/v1/sites?window=nonsense', headers: bearer })).statusCode).toBe(200)
  })

  test('any text as a limit gives either 200 with that number or 400', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(anyText(), fc.integer().map(String)), async (text) => {
        const answer = await get(`top-pages?limit=${encodeURIComponent(text.toWellFormed())}`)
        if (/^[1-9][0-9]?$/.test(text) && Number(text) <= 50) expect(answer.json().limit).toBe(Number(text))
        else expect(answer.statusCode).toBe(400)
      }),
      { numRuns: 200 },
    )
  })

  test('the first bad parameter is named, with what was given and what is allowed', async () => {
    const { detail } = (await get('top-pages?limit=0&purpose=bot&window=2d')).json()
    expect(detail).toBe('window is "2d"; allowed is one of 3d, 7d, 30d, 90d, 180d, 365d.')
    const limit = (await get('top-pages?limit=51')).json()
    expect(limit.detail).toBe('limit is "51"; allowed is a whole number from 1 to 50, in digits alone.')
  })

  test('strangers’ text is quoted without control or direction characters and cut', async () => {
    const { detail } = (await get(`performance?window=%00%0A%E2%80%AE${'x'.repeat(500)}`)).json()
    expect(detail).toMatch(/^window is "\ufffd{3}x{116}…"; /)
  })

  test('uuids in paths are case-insensitive', async () => {
    const answer = await service.app.inject({ url: `/v1/sites/${SITE_ID.toUpperCase()}/performance`, headers: bearer })
    expect(answer.statusCode).toBe(200)
  })

  test('a site of 253 characters reaches the look-up, one of 301 is refused with 400', async () => {
    const at = async (length: number) =>
      (await service.app.inject({ url: `/v1/sites/${'a'.repeat(length)}/performance`, headers: bearer })).statusCode
    expect([await at(253), await at(300), await at(301)]).toEqual([404, 404, 400])
  })
})

describe('the body of an access check', () => {
  const post = (payload: string | Buffer, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
    service.app.inject({
      method: 'POST',
      url: '/v1/sites/example.com/access-checks',
      headers: { ...bearer, ...headers },
      payload,
    })

  test.each([
    '{"url":"https://example.com/"}',
    '{"url":"HTTP://www.example.com:8080/a?b=c"}',
    '{"url":"https://EXAMPLE.com./x"}',
  ])('%s passes the checks and meets an operation that is not built', async (payload) => {
    expect((await post(payload)).statusCode).toBe(500)
    expect((await post(payload, { 'content-type': 'Application/JSON; charset=UTF-8' })).statusCode).toBe(500)
  })

  test.each([
    '',
    '{',
    'null',
    '[]',
    '"https://example.com/"',
    '{}',
    '{"url":"https://example.com/","extra":1}',
    '{"url":null}',
    '{"url":5}',
    '{"url":""}',
    '{"url":"/path"}',
    '{"url":"//example.com/"}',
    '{"url":"ftp://example.com/"}',
    '{"url":"javascript:alert(1)//http://example.com"}',
    '{"url":" https://example.com/"}',
    '{"url":"https://"}',
    '{"url":"https://example.com:99999/"}',
    '{"url":"https://notexample.com/"}',
    '{"url":"https://example.com.evil.example/"}',
    '{"url":"https://example.com@evil.example/"}',
    '{"url":"https://127.0.0.1/"}',
  ])('%s is refused with 400', async (payload) => {
    const answer = await post(payload)
    expect([answer.statusCode, answer.json().type]).toEqual([400, 'urn:spoor:problem:invalid_body'])
  })

  test.each([
    '',
    'text/plain',
    'text/weird',
    'application/x-www-form-urlencoded',
    'not a media type',
    'application/json; charset=latin1',
  ])('content type "%s" is refused with 400, never 415', async (type) => {
    const answer = await post('{"url":"https://example.com/"}', type === '' ? {} : { 'content-type': type })
    expect(answer.statusCode).toBe(400)
  })

  test('a body of 64 KiB is read, one byte more is 400, declared or streamed', async () => {
    const sized = (bytes: number) => {
      const start = '{"url":"https://example.com/"'
      return `${start}${' '.repeat(bytes - start.length - 1)}}`
    }
    expect((await post(sized(65_536))).statusCode).toBe(500)
    expect((await post(sized(65_537))).statusCode).toBe(400)
    const url = `http://127.0.0.1:${service.port}/v1/sites/example.com/access-checks`
    const body = new Blob([sized(900_000)]).stream()
    const init = { method: 'POST', headers: { ...bearer, 'content-type': 'application/json' }, body, duplex: 'half' }
    expect((await fetch(url, init as RequestInit)).status).toBe(400)
  })

  test('invalid UTF-8 and compressed bodies are 400', async () => {
    expect((await post(Buffer.from([0x7b, 0xff, 0x7d]))).statusCode).toBe(400)
    const gzip = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
    expect((await post('{"url":"https://example.com/"}', gzip)).statusCode).toBe(400)
  })
})
