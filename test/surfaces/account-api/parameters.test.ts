import Type from 'typebox'
import { describe, expect, test } from 'vitest'
import { writeCursor } from '#brands/cursor.ts'
import { MAX_RANGE_DAYS_OF_ANSWERS, PARAMETER_CODES, ROUTE_PARAMETERS } from '#contract/account-api/parameters.ts'
import { ENGINES } from '#contract/vocabulary.ts'
import { readParameters } from '#surfaces/account-api/parameters.ts'
import { parametersOf } from '#surfaces/http/decode-input.ts'

type Route = keyof typeof ROUTE_PARAMETERS
const TODAY = '2026-03-10'
const UUID = '3f2504e0-4f89-41d3-9a0c-0305e82c3301'
const PATH = { brandId: UUID }

function read(route: Route, query: string, own_domains = ['example.com'], today = TODAY) {
  const max_days = route === 'answers' ? { max_days: MAX_RANGE_DAYS_OF_ANSWERS } : {}
  const taken = { query: Type.Object(ROUTE_PARAMETERS[route]), ...max_days }
  return readParameters(taken, parametersOf(query), { today, own_domains, path: PATH })
}
const codes = (route: Route, query: string) =>
  read(route, query).faults.map(({ path, code }) => `${path.join('.')} ${code}`)
const values = (route: Route, query = '') => {
  const { values: decoded, faults } = read(route, query)
  expect(faults).toEqual([])
  return decoded
}

describe('each parameter has its code (account API 1)', () => {
  test.each<[Route, string, string]>([
    ['report', 'from=2026-02-30', 'from invalid_date'],
    ['report', 'from=2026-3-1', 'from invalid_date'],
    ['report', 'to=20260301', 'to invalid_date'],
    ['report', 'to=2026-03-11', 'to future_date'],
    ['report', 'from=2026-03-05&to=2026-03-04', 'from invalid_range'],
    ['report', 'from=2026-03-11', 'from invalid_range'],
    ['report', 'from=0000-01-01&to=0000-01-02&compare=previous', 'from invalid_range'],
    ['report', 'from=2025-03-09&to=2026-03-10', 'from range_too_long'],
    ['answers', 'from=2025-12-10&to=2026-03-10', 'from range_too_long'],
    ['report', 'engines=chatgpt,bard', 'engines unknown_engine'],
    ['report', 'engines=ChatGPT', 'engines unknown_engine'],
    ['report', 'engines=chatgpt,', 'engines unknown_engine'],
    ['report', 'country=UK', 'country invalid_country'],
    ['report', 'country=de', 'country invalid_country'],
    ['questions', 'country=None', 'country invalid_country'],
    ['report', 'question_id=1', 'question_id invalid_uuid'],
    ['report', 'interval=year', 'interval invalid'],
    ['report', 'compare=yes', 'compare invalid'],
    ['report', 'branded=1', 'branded invalid_boolean'],
    ['answers', 'mentioned=TRUE', 'mentioned invalid_boolean'],
    ['answers', 'cited=yes', 'cited invalid_boolean'],
    ['answers', 'status=active', 'status invalid_status'],
    ['questions', 'status=open', 'status invalid_status'],
    ['fixes', 'status=archived', 'status invalid_status'],
    ['questions', 'kind=access', 'kind invalid_kind'],
    ['fixes', 'kind=branded', 'kind invalid_kind'],
    ['urls', 'dimension=host', 'dimension invalid_dimension'],
    ['urls', 'source=google', 'source invalid_source'],
    ['urls', 'dimension=page&source=own', 'source invalid_source'],
    ['urls', 'dimension=domain&source=elsewhere', 'source invalid_source'],
    ['urls', 'dimension=query', 'page query_needs_page'],
    ['urls', 'dimension=query&page=/a', 'page invalid'],
    ['urls', 'dimension=query&page=https://example.org/', 'page invalid'],
    ['urls', 'dimension=query&page=ftp://example.com/', 'page invalid'],
    ['urls', 'page=https://notexample.com/', 'page invalid'],
    ['brands', 'limit=0', 'limit invalid_limit'],
    ['brands', 'limit=201', 'limit invalid_limit'],
    ['brands', 'limit=05', 'limit invalid_limit'],
    ['brands', 'limit=1e1', 'limit invalid_limit'],
    ['brands', 'limit=-1', 'limit invalid_limit'],
    ['brands', 'offset=10001', 'offset invalid_offset'],
    ['brands', 'offset=00', 'offset invalid_offset'],
    ['brands', 'offset=1.5', 'offset invalid_offset'],
    ['answers', 'cursor=abc', 'cursor invalid_cursor'],
    ['answers', 'offset=0', 'offset invalid'],
    ['brands', 'kind=branded', 'kind invalid'],
    ['questions', 'from=2026-03-01', 'from invalid'],
  ])('%s?%s', (route, query, expected) => {
    expect(codes(route, query)).toEqual([expected])
  })

  test('every parameter that is repeated or empty is reported with its own code', () => {
    for (const [route, parameters] of Object.entries(ROUTE_PARAMETERS) as [Route, object][]) {
      for (const name of Object.keys(parameters) as (keyof typeof PARAMETER_CODES)[]) {
        const expected = [`${name} ${PARAMETER_CODES[name]}`]
        for (const query of [`${name}=`, name, `${name}=1&${name}=2`])
          expect([query, codes(route, query)]).toEqual([query, expected])
      }
    }
  })

  test('all faults are reported together', () => {
    const query = 'from=x&engines=y&country=z&limit=0&cursor=1&offset=1&status=no'
    expect(codes('answers', query)).toEqual([
      ...['from invalid_date', 'engines unknown_engine', 'country invalid_country', 'limit invalid_limit'],
      ...['offset invalid', 'status invalid_status'],
    ])
    expect(codes('report', 'from=2026-03-12&to=2026-03-11')).toEqual(['to future_date', 'from invalid_range'])
    for (const from of ['x', '', '2026-03-01&from=2026-03-02']) {
      expect(codes('report', `from=${from}&to=2026-03-11`)).toEqual(['from invalid_date', 'to future_date'])
    }
    expect(codes('report', 'from=2026-03-12&to=x')).toEqual(['to invalid_date'])
  })

  test('messages quote what was given and say what is allowed', () => {
    const [fault] = read('brands', 'limit=%E2%80%AE9').faults
    expect(fault?.message).toBe(
      'limit is "\u{fffd}9"; allowed is a whole number from 1 to 200, in digits without leading zeros.',
    )
  })
})

describe('defaults', () => {
  test('the days (account API 1)', () => {
    expect(values('report')).toMatchObject({ from: '2026-02-09', to: TODAY, interval: 'day', compare: 'none' })
    expect(values('report', 'from=2026-01-01')).toMatchObject({ from: '2026-01-01', to: '2026-01-30' })
    expect(values('report', 'from=2026-03-01')).toMatchObject({ from: '2026-03-01', to: TODAY })
    expect(values('report', 'to=2026-01-30')).toMatchObject({ from: '2026-01-01', to: '2026-01-30' })
    expect(values('report', 'from=2025-03-10&to=2026-03-10')).toMatchObject({ from: '2025-03-10', interval: 'month' })
    expect(values('answers', 'from=2025-12-11')).toMatchObject({ to: '2026-01-09' })
    expect(codes('report', 'to=0000-01-02')).toEqual([])
    expect(codes('report', 'from=9999-12-30')).toEqual(['from invalid_range'])
  })

  test.each([
    ['2026-02-08', 'day'],
    ['2026-02-07', 'week'],
    ['2025-11-11', 'week'],
    ['2025-11-10', 'month'],
  ])('from %s to today is read by %s', (from, interval) => {
    expect(values('report', `from=${from}&to=${TODAY}`)).toMatchObject({ interval })
    expect(values('report', `from=${from}&to=${TODAY}&interval=month`)).toMatchObject({ interval: 'month' })
  })

  test('of the other routes; what has no default and is left out is missing', () => {
    expect(values('brands')).toEqual({ limit: 50, offset: 0 })
    expect(values('questions')).toEqual({ status: 'active', limit: 50, offset: 0 })
    expect(values('fixes')).toEqual({ status: 'all', limit: 50, offset: 0 })
    expect(values('urls')).toEqual({ from: '2026-02-09', to: TODAY, dimension: 'url', limit: 50, offset: 0 })
    expect(values('urls', 'dimension=page')).toMatchObject({ source: 'google' })
    expect(values('answers')).toEqual({ from: '2026-02-09', to: TODAY, limit: 50 })
  })
})

describe('values', () => {
  test('are decoded', () => {
    const query = `engines=grok,chatgpt,grok&country=none&question_id=${UUID.toUpperCase()}&branded=false&interval=week&compare=previous`
    expect(values('report', query)).toMatchObject({
      engines: ['chatgpt', 'grok'],
      country: 'none',
      question_id: UUID,
      branded: false,
      interval: 'week',
      compare: 'previous',
    })
    expect(values('report', `engines=${ENGINES.join(',')}`)).toMatchObject({ engines: [...ENGINES] })
    expect(values('urls', 'dimension=query&source=bing&page=https://www.example.com/a?b')).toMatchObject({
      source: 'bing',
      page: 'https://www.example.com/a?b',
    })
    expect(values('brands', 'limit=200&offset=10000')).toEqual({ limit: 200, offset: 10_000 })
  })

  test('names that no route knows are ignored and named, without what steers a terminal', () => {
    const { faults, ignored_parameters } = read('brands', 'utm_source=x&a%E2%80%AEb=1&__proto__=2&utm_source=y')
    expect(faults).toEqual([])
    expect(ignored_parameters).toEqual(['utm_source', 'ab', '__proto__'])
    expect(read('brands', '').ignored_parameters).toEqual([])
    expect(read('brands', '&limit=1&&').ignored_parameters).toEqual([])
  })

  test('a cursor is of its filters: the limit may change, nothing else', () => {
    const place = { at: Date.parse('2026-03-09T10:00:00Z'), id: UUID }
    const cursor = writeCursor({ ...PATH, ...values('answers', 'engines=grok'), ignored_parameters: ['x'] }, place)
    expect(values('answers', `engines=grok&limit=7&cursor=${cursor}`)).toMatchObject({ cursor })
    expect(codes('answers', `cursor=${cursor}`)).toEqual(['cursor invalid_cursor'])
    expect(codes('answers', `engines=grok&mentioned=true&cursor=${cursor}`)).toEqual(['cursor invalid_cursor'])
    const [at, id, sum] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as [number, string, string]
    for (const forged of [[at + 1, id, sum], [at, id], [String(at), id, sum], [at, 1, sum], null, { at }]) {
      const text = Buffer.from(JSON.stringify(forged)).toString('base64url')
      expect(codes('answers', `engines=grok&cursor=${text}`)).toEqual(['cursor invalid_cursor'])
    }
  })

  test.each([8.64e15 + 1, -8.64e15 - 1, 0.5])('a cursor whose instant is %d is none', (instant) => {
    const cursor = writeCursor({ ...PATH, ...values('answers') }, { at: instant, id: UUID })
    expect(codes('answers', `cursor=${cursor}`)).toEqual(['cursor invalid_cursor'])
  })

  test('a list whose days were left out continues with the same days on the next day', () => {
    const place = { at: Date.parse('2026-03-09T10:00:00Z'), id: UUID }
    for (const given of ['engines=grok', 'from=2026-03-01']) {
      const filters = values('answers', given)
      const cursor = writeCursor({ ...PATH, ...filters }, place)
      const on = (day: string, more = '') => read('answers', `${given}&cursor=${cursor}${more}`, undefined, day)
      expect([on('2026-03-11').faults, on('2026-03-11').values]).toEqual([[], { ...filters, cursor }])
      for (const other of [on('2026-03-12'), on('2026-03-11', '&to=2026-03-11')])
        expect(other.faults.map(({ code }) => code)).toEqual(['invalid_cursor'])
    }
  })
})
