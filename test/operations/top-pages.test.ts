import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Page, TopPages } from '#contract/site-api/index.ts'
import { history } from '#demo/history.ts'
import { openTestService, type TestService } from '../support/service.ts'

const HOSTS = ['example.com', 'a.example.com', 'www.example.com']
/** In no order; byte order differs from that of words, of letters without their case, and of UTF-16. */
const PATHS = [
  ...['/b', '/a', '/B', '/A', '/', '//', '/a/', '/a/b', '/a-b', '/a.b', '/a_b', '/a~b', '/aa', '/Z', '/z', '/_', '/~'],
  ...['/10', '/9', '/é', '/\u{ffee}', '/\u{1f43e}'],
]

let service: TestService
/** What each page gets, 66 pages, most of them tied. */
const reported: { host: string; path: string; search: number; training: number }[] = HOSTS.flatMap((host, h) =>
  PATHS.map((path, p) => ({ host, path, search: p % 7 === 0 ? 5 + h : 2, training: p % 5 === 0 ? 1 : 0 })),
)
beforeAll(async () => {
  service = await openTestService('2026-03-10T12:00:00Z')
  const site = await service.addSite('example.com')
  await service.createKey()
  const log = history().on('2026-03-08').humans({ host: 'example.com' })
  for (const [index, page] of reported.entries()) {
    const options = { host: page.host, path: bytesOf(page.path), from: `10:${String(index % 60).padStart(2, '0')}` }
    log.on(index % 2 === 0 ? '2026-03-08' : '2026-03-09')
    log.crawler('oai-searchbot').requests(page.search, options)
    log.crawler('gptbot').requests(page.training, { ...options, status: null })
  }
  // Five more pages that only an agent without a label, or of scope ads, ever asked for: none of them counts.
  log.agent('UnheardOfBot/1.0').requests(90, { path: '/unlabelled', host: 'example.com' })
  log.crawler('oai-adsbot').requests(90, { path: '/landing', host: 'example.com' })
  await service.importText(site, log)
})
afterAll(() => service.close())

const read = async (query: string): Promise<TopPages> => {
  const answer = await service.ask(`/v1/sites/example.com/top-pages?window=7d&${query}`)
  expect(answer.status, answer.text).toBe(200)
  return answer.json as TopPages
}

/** All pages with a request under the filter: by count descending, then host, then path, by their bytes (rules 2). */
function expected(count: (page: (typeof reported)[number]) => number) {
  return reported
    .map((page) => ({ host: page.host, path: page.path, observed_request_count: count(page) }))
    .filter((page) => page.observed_request_count > 0)
    .sort(
      (a, b) =>
        b.observed_request_count - a.observed_request_count ||
        Buffer.compare(Buffer.from(a.host), Buffer.from(b.host)) ||
        Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)),
    )
}
const hidden = (purpose: 'search' | 'training') => ({
  purpose,
  observed_request_count: reported.reduce((sum, page) => sum + page[purpose], 0),
})
const listed = (pages: readonly Page[]) =>
  pages.map(({ host, path, observed_request_count }) => ({ host, path, observed_request_count }))

describe.each(['from facts', 'from roll-ups'])('pages, %s (rules 2)', (from) => {
  beforeAll(async () => {
    if (from === 'from roll-ups') expect(await service.rebuild()).toBe(2)
  })

  test('of 66 pages the first 50 are returned, ties by host and path in byte order, and the rest is announced', async () => {
    const pages = expected((page) => page.search)
    const answer = await read('limit=50')
    expect(answer).toMatchObject({ limit: 50, returned_count: 50, total_count: 66, truncated: true })
    expect(listed(answer.pages)).toEqual(pages.slice(0, 50))
    expect(await read('')).toEqual(answer)
  })

  test('every limit cuts the same order, in the middle of a tie too', async () => {
    const pages = expected((page) => page.search)
    for (const limit of [1, 2, 11, 12, 13, 49]) {
      const answer = await read(`limit=${limit}`)
      expect(answer).toMatchObject({ limit, returned_count: limit, total_count: 66, truncated: true })
      expect(listed(answer.pages)).toEqual(pages.slice(0, limit))
    }
  })

  test('the total counts the pages that pass the filter, and nothing is truncated when all of them fit', async () => {
    const pages = expected((page) => page.training)
    expect(pages).toHaveLength(15)
    for (const [limit, returned] of [
      [50, 15],
      [15, 15],
      [14, 14],
    ] as const) {
      const answer = await read(`purpose=training&limit=${limit}`)
      expect(answer).toMatchObject({ limit, returned_count: returned, total_count: 15, truncated: returned < 15 })
      expect(listed(answer.pages)).toEqual(pages.slice(0, returned))
    }
  })

  test('a filter that no request passes leaves no page and a total of zero: the window was covered', async () => {
    expect(await read('purpose=assistant')).toMatchObject({
      limit: 50,
      returned_count: 0,
      total_count: 0,
      truncated: false,
      pages: [],
      hidden_by_purpose_filter: [hidden('search'), hidden('training')],
    })
  })

  test('hidden requests are reported by purpose, the same as in the other answers, and are in no other count', async () => {
    for (const [purpose, rows] of [
      ['search', [hidden('training')]],
      ['training', [hidden('search')]],
      ['search,training', []],
      ['unknown,training,assistant', [hidden('search')]],
    ] as const) {
      for (const limit of [1, 50]) {
        const answer = await read(`purpose=${purpose}&limit=${limit}`)
        expect(answer.hidden_by_purpose_filter).toEqual(rows)
      }
      const performance = await service.ask(`/v1/sites/example.com/performance?window=7d&purpose=${purpose}`)
      expect(performance.json.hidden_by_purpose_filter).toEqual(rows)
    }
  })

  test('a share is of all counted requests of window and filter, whatever the limit', async () => {
    const total = reported.reduce((sum, page) => sum + page.search + page.training, 0)
    for (const limit of [1, 50]) {
      const { pages } = await read(`purpose=search,training&limit=${limit}`)
      for (const page of pages) expect(page.observed_share).toBe(page.observed_request_count / total)
    }
  })

  test('crawlers are counted after the filter, and responses only where one was observed', async () => {
    const both = (await read('purpose=search,training&limit=50')).pages
    for (const page of both) {
      const known = reported.find((one) => one.host === page.host && one.path === page.path)
      expect(page.observed_crawler_count).toBe(known?.training === 0 ? 1 : 2)
      expect(page.observed_response_count).toBe(known?.search)
    }
    const training = (await read('purpose=training')).pages
    for (const page of training) expect(page).toMatchObject({ observed_crawler_count: 1, observed_response_count: 0 })
  })
})

/** A log holds bytes: text beyond ASCII as a binary string of its UTF-8. */
function bytesOf(path: string): string {
  return Buffer.from(path, 'utf8').toString('latin1')
}
