import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ensureInstallation } from '#accounts/ensure-installation.ts'
import { addBrand, removeBrand } from '#brands/brands.ts'
import type { FoundBrand } from '#brands/find-brand.ts'
import { connectSearchEngine } from '#brands/search-data/connect.ts'
import { disconnect } from '#brands/search-data/connections.ts'
import { eraseRemovedSearchData, expireSearchData } from '#brands/search-data/expire-search-data.ts'
import { importSearchData } from '#brands/search-data/import-search-data.ts'
import { pollSearchConnections } from '#brands/search-data/poll-connections.ts'
import { readSearchData, type SearchQuestion } from '#brands/search-data/read-search-data.ts'
import type { SearchFileHints } from '#brands/search-data/read-search-file.ts'
import { searchDataBrands } from '#brands/search-data/search-data.sql.ts'
import { DAY_MS, HOUR_MS } from '#clock.ts'
import { openSecretBox } from '#secrets/secret-box.ts'
import { type FakeClock, fakeClock } from '../../support/clock.ts'
import { openTestControl, type TestControl } from '../../support/control.ts'
import { openTestEvidence, type TestEvidence } from '../../support/evidence.ts'
import { openSearchEngines, type SearchEngineDouble } from '../../support/search-engine-double.ts'

const NOW = '2026-11-22T12:00:00Z'
const PROPERTY = 'sc-domain:example.com'
const PAGE = 'https://www.example.com/a'
const signal = new AbortController().signal

let opened: TestControl
let stored: TestEvidence
let clock: FakeClock
let ctx: { control: TestControl['control']; evidence: TestEvidence['store']; clock: FakeClock }
let brand: FoundBrand
let account_id: string
let made = 0

beforeAll(async () => {
  opened = await openTestControl()
  stored = await openTestEvidence()
  clock = fakeClock(NOW)
  ctx = { control: opened.control, evidence: stored.store, clock }
  account_id = (await ensureInstallation(opened.control, clock)).account_id
})
afterAll(async () => {
  await stored.remove()
  await opened.remove()
})
beforeEach(async () => {
  clock.set(NOW)
  const names = { name: `Acme ${++made}`, aliases: [], domains: ['example.com'] }
  brand = await addBrand(ctx, { account_id, site_id: null, ...names })
})

const NO_HINTS: SearchFileHints = {
  property: null,
  period: null,
  ai_source: null,
  dimensions: null,
  method: null,
  page: null,
}
const load = (content: unknown, hints: Partial<SearchFileHints> = {}) =>
  importSearchData(ctx, brand, {
    bytes: Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)),
    hints: { ...NO_HINTS, ...hints },
  })
const record = (over: object) => ({
  source: 'google',
  property: PROPERTY,
  day: '2026-11-18',
  page: PAGE,
  clicks: 4,
  impressions: 60,
  position: 7,
  ...over,
})
const rowsOf = (...rows: object[]) => ({ format: 'spoor.search-data/1', rows: rows.map(record) })
const ask = (over: Partial<SearchQuestion> = {}) =>
  readSearchData({ db: ctx.control.db, evidence: ctx.evidence }, brand, {
    source: 'google',
    page: null,
    from: '2026-11-01',
    to: '2026-11-22',
    limit: 50,
    offset: 0,
    ...over,
  })

describe('an import (account API 3)', () => {
  test('the same file twice changes nothing, a later one replaces and says how many rows', async () => {
    const file = rowsOf({}, { day: '2026-11-19' })
    expect(await load(file)).toMatchObject({
      records: 2,
      stored: 2,
      replaced: 0,
      duplicates: 0,
      from: '2026-11-18',
      to: '2026-11-19',
    })
    expect(await load(file)).toMatchObject({ records: 2, stored: 0, replaced: 0, duplicates: 2 })
    expect(await load(rowsOf({ clicks: 5 }, { day: '2026-11-19' }))).toMatchObject({
      stored: 0,
      replaced: 1,
      duplicates: 1,
    })
    expect((await ask()).rows).toMatchObject([{ name: PAGE, clicks: 9, impressions: 120 }])
  })

  test('of one row twice in a file the later counts, and a bad row refuses itself alone', async () => {
    const receipt = await load(rowsOf({ clicks: 1 }, { clicks: 2 }, { clicks: 0.5 }))
    expect(receipt).toMatchObject({ records: 3, stored: 1, duplicates: 1, refused: [{ place: 3, code: 'invalid' }] })
    expect((await ask()).rows).toMatchObject([{ clicks: 2 }])
  })
})

test('a future day refuses its record, and a property of unknown form refuses the file', async () => {
  const receipt = await load(rowsOf({ day: '2026-11-23' }, { day: '2026-11-24' }))
  expect(receipt).toMatchObject({ stored: 1, refused: [{ place: 2, code: 'future_date' }], to: '2026-11-23' })
  const hints = { property: 'example.com', period: { from: '2026-11-01', to: '2026-11-18' } }
  await expect(load('Top pages,Clicks,Impressions,CTR,Position\n', hints)).rejects.toThrow(
    '"example.com" is not a property of a search engine: write sc-domain:example.com',
  )
})

test.each([
  ['2026-02-30', 'a day that does not exist'],
  ['2026-1-5', 'a day of another form'],
  ['1969-12-31', 'a day that the store would move to another one'],
])('a key %s of Search Console refuses its record as %s, and no other', async (day) => {
  const row = { clicks: 4, impressions: 60, position: 7 }
  const rows = [day, '2026-11-10'].map((key) => ({ ...row, keys: [key, PAGE] }))
  const receipt = await load({ rows }, { property: PROPERTY, dimensions: ['date', 'page'] })
  expect(receipt).toMatchObject({ stored: 1, refused: [{ place: 1, code: 'invalid_date' }], from: '2026-11-10' })
})

test('half of a character in a query is replaced, and the same file twice changes nothing', async () => {
  const numbers = { clicks: 4, impressions: 60, position: 7 }
  const answer = { rows: [{ ...numbers, keys: ['2026-11-10', PAGE, 'bread \ud83c'] }] }
  const hints = { property: PROPERTY, dimensions: ['date', 'page', 'query'] }
  expect(await load(answer, hints)).toMatchObject({ stored: 1, refused: [] })
  expect(await load(answer, hints)).toMatchObject({ stored: 0, duplicates: 1 })
  expect((await ask({ page: PAGE })).rows).toMatchObject([{ name: 'bread \ufffd', clicks: 4 }])
  const point = { Query: '\udf00 bread', Date: '/Date(1795248000000-0800)/', Clicks: 2, Impressions: 40 }
  const of_bing = { property: 'https://www.example.com/', method: 'GetPageQueryStats', page: PAGE } as const
  expect(await load({ d: [point] }, of_bing)).toMatchObject({ stored: 1, refused: [] })
  expect(await load({ d: [point] }, of_bing)).toMatchObject({ duplicates: 1 })
})

test('a point of Bing after the year 9999 or before 2000 refuses its record, as does a report of that time', async () => {
  const points = [999_999_999_999_999, -999_999_999_999].map((ms) => ({
    Query: PAGE,
    Date: `/Date(${ms}-0800)/`,
    Clicks: 2,
    Impressions: 40,
    AvgImpressionPosition: 6,
  }))
  const receipt = await load({ d: points }, { property: 'https://www.example.com/', method: 'GetPageStats' })
  expect(receipt.refused.map(({ code }) => code)).toEqual(['invalid_date', 'invalid_date'])
  const period = { from: '1999-12-31', to: '2026-11-18' }
  const report = await load(`Page,Citations\n${PAGE},5\n`, { ai_source: 'bing', period })
  expect(report).toMatchObject({ stored: 0, refused: [{ place: 2, code: 'invalid_date' }] })
})

test('a position beyond any search refuses its record', async () => {
  const receipt = await load(rowsOf({ position: 1e308 }, { page: 'https://www.example.com/b', position: 1_000_000 }))
  expect(receipt).toMatchObject({ stored: 1, refused: [{ place: 1, code: 'invalid' }] })
  expect((await ask()).rows).toMatchObject([{ average_position: { value: 1_000_000, n: 60 } }])
})

test('an amount whose sums could not be exact refuses its record', async () => {
  const rows = [record({ impressions: Number.MAX_SAFE_INTEGER })]
  const receipt = await load({ format: 'spoor.search-data/1', rows })
  expect(receipt).toMatchObject({ stored: 0, refused: [{ place: 1, code: 'invalid' }] })
})

describe('what is read (account API 2)', () => {
  test('without data there are no rows, and the state reports it', async () => {
    expect(await ask()).toMatchObject({
      rows: [],
      total_count: 0,
      meta: { state: 'none', property: null, gaps: [{ from: '2026-11-01', to: '2026-11-22' }] },
    })
  })

  test('positions are weighted by impressions, days are those with a row, the others gaps', async () => {
    await load(rowsOf({ impressions: 10, position: 1 }, { day: '2026-11-20', impressions: 30, position: 5 }))
    const { rows, meta } = await ask()
    expect(rows).toMatchObject([{ clicks: 8, impressions: 40, average_position: { value: 4, n: 40 }, days: 2 }])
    expect(meta).toMatchObject({ state: 'imported', property: PROPERTY, grouping: 'page', weekly: false })
    expect(meta.gaps).toEqual([
      { from: '2026-11-01', to: '2026-11-17' },
      { from: '2026-11-19', to: '2026-11-19' },
      { from: '2026-11-21', to: '2026-11-22' },
    ])
  })

  test('rows without a position leave it unknown', async () => {
    await load(rowsOf({ position: null }))
    expect((await ask()).rows).toMatchObject([{ average_position: { value: null, n: 0 } }])
  })

  test('files by page, and by page and query, are two sets: the queries of a page are never added to the page', async () => {
    await load(rowsOf({ clicks: 10, impressions: 100 }, { query: 'bread', clicks: 3, impressions: 30 }))
    await load(rowsOf({ query: 'brot', clicks: 4, impressions: 40 }, { country: 'CH', clicks: 1, impressions: 2 }))
    expect((await ask()).rows).toMatchObject([{ clicks: 10, impressions: 100 }])
    const queries = await ask({ page: PAGE })
    expect(queries.rows.map(({ name, clicks }) => [name, clicks])).toEqual([
      ['brot', 4],
      ['bread', 3],
    ])
    expect(queries.meta.grouping).toBe('page,query')
    expect((await ask({ page: 'https://www.example.com/b' })).rows).toEqual([])
  })

  test('one property counts: that of the domain, else the first by name', async () => {
    await load(rowsOf({ property: 'https://b.example/' }, { property: 'https://a.example/', clicks: 1 }))
    expect((await ask()).meta.property).toBe('https://a.example/')
    await load(rowsOf({ clicks: 2 }))
    expect(await ask()).toMatchObject({ meta: { property: PROPERTY }, rows: [{ clicks: 2 }] })
  })

  test('if no day is known, only the newest sum of a period is shown', async () => {
    const tab = (clicks: number) => `Top pages,Clicks,Impressions,CTR,Position\n${PAGE},${clicks},50,10%,3.2\n`
    await load(tab(5), { property: PROPERTY, period: { from: '2026-11-01', to: '2026-11-10' } })
    clock.advance(HOUR_MS)
    await load(tab(7), { property: PROPERTY, period: { from: '2026-11-05', to: '2026-11-14' } })
    const { rows, meta } = await ask()
    expect(rows).toMatchObject([{ clicks: 7, days: null }])
    expect(meta.gaps).toEqual([
      { from: '2026-11-01', to: '2026-11-04' },
      { from: '2026-11-15', to: '2026-11-22' },
    ])
    await load(rowsOf({ clicks: 1 }))
    expect((await ask()).rows).toMatchObject([{ clicks: 1, days: 1 }])
  })

  test('points of weeks and days are not added: those count that cover more', async () => {
    const bing = { source: 'bing', property: 'https://www.example.com/' }
    const week = { ...bing, day: '2026-11-14', weekly: true, clicks: 70 }
    const day = (of: number, more = {}) => ({ ...bing, day: `2026-11-0${of}`, clicks: of, ...more })
    await load(rowsOf(week, day(1), day(2, { page: 'https://www.example.com/other' })))
    expect(await ask({ source: 'bing' })).toMatchObject({
      rows: [{ name: PAGE, clicks: 70, days: null }],
      total_count: 1,
      meta: { weekly: true },
    })
    await load(rowsOf(...[3, 4, 5, 6, 7].map((of) => day(of))))
    const { rows, total_count, meta } = await ask({ source: 'bing' })
    expect(rows.map(({ clicks, days }) => [clicks, days])).toEqual([
      [26, 6],
      [2, 1],
    ])
    expect([total_count, meta.weekly, meta.gaps]).toEqual([2, false, [{ from: '2026-11-08', to: '2026-11-22' }]])
  })

  test('pages are listed by clicks, up to the requested number', async () => {
    await load(rowsOf(...[1, 2, 3, 4].map((clicks) => ({ page: `https://www.example.com/${clicks}`, clicks }))))
    const { rows, total_count } = await ask({ limit: 2, offset: 1 })
    expect([rows.map(({ clicks }) => clicks), total_count]).toEqual([[3, 2], 4])
  })

  test('as many pages are listed as requested, however long their addresses are', async () => {
    const long = (at: number) => `https://www.example.com/${at}/${'a'.repeat(4_000)}`
    await load(rowsOf(...Array.from({ length: 120 }, (_, at) => ({ page: long(at) }))))
    const { rows, total_count } = await ask({ limit: 200 })
    expect([rows.length, total_count]).toEqual([120, 120])
  })

  test('reports about AI answers are shown beside a page; of overlapping ones, the newest', async () => {
    await load(rowsOf({}))
    const report = (citations: number) => `Page,Citations\n${PAGE},${citations}\n`
    const at = (from: string, to: string) => ({ ai_source: 'bing' as const, period: { from, to } })
    await load(report(5), at('2026-11-01', '2026-11-10'))
    clock.advance(HOUR_MS)
    await load(report(6), at('2026-11-05', '2026-11-12'))
    await load(report(9), at('2026-10-25', '2026-11-12'))
    expect((await ask()).rows[0]?.ai).toEqual([
      { kind: 'ai_citations', source: 'bing', from: '2026-11-05', to: '2026-11-12', citations: 6, impressions: null },
    ])
  })
})

describe('a connection', () => {
  let engines: SearchEngineDouble
  beforeEach(async () => {
    engines = await openSearchEngines()
    await ctx.control.db.deleteFrom('search_connections').execute()
  })
  const secrets = () => openSecretBox(opened.folder, { secret_key: null })
  const connect = (over: object = {}) =>
    connectSearchEngine(
      { ...ctx, secrets: secrets(), search_apis: engines.apis },
      { brand, source: 'google', property: PROPERTY, key: engines.service_account, ...over },
    )
  const poll = () => pollSearchConnections({ ...ctx, secrets: secrets(), search_apis: engines.apis }, signal)
  const state = async () => ctx.control.db.selectFrom('search_connections').selectAll().executeTakeFirstOrThrow()

  test('reads the last days again each day, and the past step by step', async () => {
    engines.google.set('2026-11-20 page', [{ keys: [PAGE], clicks: 3, impressions: 30, position: 2 }])
    engines.google.set('2026-11-20 page,query', [{ keys: [PAGE, 'bread'], clicks: 1, impressions: 9, position: 2 }])
    await connect()
    await poll()
    expect(await state()).toMatchObject({ state: 'live', error_code: null, failed_polls: 0 })
    expect(await ask()).toMatchObject({ rows: [{ name: PAGE, clicks: 3, days: 1 }], meta: { state: 'connected' } })
    expect((await ask({ page: PAGE })).rows).toMatchObject([{ name: 'bread', clicks: 1 }])
    // Days that were read and had nothing are not gaps; today is not read yet.
    expect((await ask()).meta.gaps).toEqual([{ from: '2026-11-22', to: '2026-11-22' }])

    // What vanished from a fresh day goes.
    engines.google.set('2026-11-20 page', [
      { keys: ['https://www.example.com/b'], clicks: 4, impressions: 8, position: 1 },
    ])
    clock.advance(DAY_MS)
    const before = engines.asked.length
    await poll()
    expect((await ask()).rows).toMatchObject([{ name: 'https://www.example.com/b', clicks: 4 }])
    const again = engines.asked.slice(before).filter((each) => each.startsWith('2026-11-2'))
    expect(again).toContain('2026-11-22 page')
    expect(again).toContain('2026-11-20 page,query')
    expect((await state()).read_from).toBe('2026-09-20')
  })

  test('reads 25,000 rows at a time until a page is not full', async () => {
    const rows = Array.from({ length: 25_000 }, (_, at) => ({
      keys: [`${PAGE}${at}`],
      clicks: 1,
      impressions: 1,
      position: 1,
    }))
    engines.google.set('2026-11-21 page', rows)
    await connect()
    engines.asked.length = 0
    await poll()
    expect(engines.asked.filter((each) => each === '2026-11-21 page')).toHaveLength(2)
    expect((await ask({ limit: 1 })).total_count).toBe(25_000)
  })

  test('a key of another account, and text that is not a key, connect nothing', async () => {
    const other = await openSearchEngines()
    await expect(connect({ key: other.service_account })).rejects.toThrow(
      /Google rejects the key.*Nothing was connected/,
    )
    await expect(connect({ key: '{"type":"authorized_user"}' })).rejects.toThrow(
      /not the JSON key of a service account/,
    )
    await expect(connect({ property: 'example.com' })).rejects.toThrow(/is not a property of google/)
    expect(await ctx.control.db.selectFrom('search_connections').selectAll().execute()).toEqual([])
  })

  test('three failed polls in a row show an error, a good one ends it, a rejected key is deleted', async () => {
    await connect()
    for (const [failed_polls, wanted] of [
      [1, 'pending'],
      [2, 'pending'],
      [3, 'error'],
    ] as const) {
      engines.failures.push({ status: 500, body: {} })
      await poll()
      expect(await state()).toMatchObject({ state: wanted, failed_polls, error_code: 'provider_error' })
      clock.advance(DAY_MS)
    }
    await poll()
    expect(await state()).toMatchObject({ state: 'live', failed_polls: 0, error_code: null })
    clock.advance(DAY_MS)
    engines.failures.push({ status: 401, body: { error: { code: 401 } } })
    await poll()
    expect(await state()).toMatchObject({ state: 'revoked', sealed_key: null, error_code: 'key_rejected' })
    clock.advance(DAY_MS)
    expect(await poll()).toBe(0)
  })

  test('a limit is waited for', async () => {
    await connect()
    engines.failures.push({ status: 403, body: { error: { errors: [{ reason: 'quotaExceeded' }] } } })
    await poll()
    expect(await state()).toMatchObject({ error_code: 'rate_limited', next_poll_at: clock.now() + 2 * HOUR_MS })
  })

  test('Bing gives weeks, and queries page by page', async () => {
    const point = (Query: string, Clicks: number) => ({
      Query,
      Clicks,
      Impressions: 10,
      AvgImpressionPosition: 3,
      Date: '/Date(1794643200000-0800)/',
    })
    engines.bing.set('', [point(PAGE, 5)])
    engines.bing.set(PAGE, [point('bread', 2)])
    const property = 'https://www.example.com/'
    await connect({ source: 'bing', property, key: engines.bing_key })
    await poll()
    expect(await ask({ source: 'bing' })).toMatchObject({
      rows: [{ name: PAGE, clicks: 5, days: null }],
      // The week of a point begins or ends with it: no other day can be in it.
      meta: {
        property,
        weekly: true,
        gaps: [
          { from: '2026-11-01', to: '2026-11-07' },
          { from: '2026-11-21', to: '2026-11-22' },
        ],
      },
    })
    engines.bing.set('', [point(PAGE, 5), { ...point(PAGE, 1), Date: '/Date(1793520000000-0800)/' }])
    clock.advance(DAY_MS)
    await poll()
    expect((await ask({ source: 'bing', to: '2026-11-15' })).meta.gaps).toEqual([])
    expect((await ask({ source: 'bing', page: PAGE })).rows).toMatchObject([{ name: 'bread', clicks: 2 }])
  })

  test('a point of a day that cannot be stored fails its connection, and no other', async () => {
    const point = { Query: PAGE, Clicks: 1, Impressions: 1, AvgImpressionPosition: 1 }
    const bing = { source: 'bing', property: 'https://www.example.com/', key: engines.bing_key } as const
    await connect(bing)
    clock.advance(1)
    await connect()
    const states = () =>
      ctx.control.db.selectFrom('search_connections').select(['state', 'error_code']).orderBy('source').execute()
    // The year 10000, and what .NET writes for no date.
    for (const date of ['/Date(253402300800000)/', '/Date(-62135596800000)/']) {
      engines.bing.set('', [{ ...point, Date: date }])
      expect(await poll()).toBe(2)
      expect(await states()).toEqual([
        { state: 'pending', error_code: 'unreadable' },
        { state: 'live', error_code: null },
      ])
      clock.advance(DAY_MS)
    }
    expect((await ask({ source: 'bing', from: '1970-01-01', to: '1970-01-01' })).rows).toEqual([])
  })

  test('its key is encrypted, and deleted when it ends; stored data is kept', async () => {
    await connect({ source: 'bing', property: 'https://www.example.com/', key: engines.bing_key })
    expect(await opened.contents()).not.toContain(engines.bing_key)
    engines.bing.set('', [
      { Query: PAGE, Date: '/Date(1794643200000-0800)/', Clicks: 1, Impressions: 1, AvgImpressionPosition: 1 },
    ])
    await poll()
    await disconnect(ctx, { brand, source: 'bing', property: null })
    expect(await state()).toMatchObject({ state: 'disconnected', sealed_key: null })
    expect(await ask({ source: 'bing' })).toMatchObject({ rows: [{ clicks: 1 }], meta: { state: 'imported' } })
    await expect(disconnect(ctx, { brand, source: 'google', property: null })).rejects.toThrow(
      /no connection to google/,
    )
  })

  test('needs no property to be ended where every other one has ended', async () => {
    const of = { brand, source: 'bing', property: null } as const
    await connect({ source: 'bing', property: 'https://www.example.com/', key: engines.bing_key })
    await disconnect(ctx, of)
    await connect({ source: 'bing', property: 'https://example.com/', key: engines.bing_key })
    expect(await disconnect(ctx, of)).toMatchObject({ property: 'https://example.com/', state: 'disconnected' })
    await connect({ source: 'bing', property: 'https://example.com/', key: engines.bing_key })
    await connect({ source: 'bing', property: 'https://www.example.com/', key: engines.bing_key })
    await expect(disconnect(ctx, of)).rejects.toThrow(/several connections to bing/)
  })
})

describe('the end of search data', () => {
  const brands = async () => (await ctx.evidence.all(searchDataBrands)).map(({ brand_id }) => brand_id)

  test('goes with its brand', async () => {
    await load(rowsOf({}))
    expect(await brands()).toContain(brand.id)
    await removeBrand(ctx, { account_id, brand: brand.id })
    await eraseRemovedSearchData(ctx)
    expect(await brands()).not.toContain(brand.id)
  })

  test('days are gaps after 400 days, and leave the store', async () => {
    await load(rowsOf({ day: '2025-10-01' }, {}))
    await expireSearchData(ctx)
    const span = { from: '2025-09-01', to: '2026-11-22' }
    expect((await ask(span)).rows).toMatchObject([{ clicks: 4, days: 1 }])
    expect((await ask(span)).meta.gaps[0]).toEqual({ from: '2025-09-01', to: '2026-11-17' })
  })
})
