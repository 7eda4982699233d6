import { beforeEach, describe, expect, test } from 'vitest'
import { history } from '#demo/history.ts'
import type { Site } from '#sites/site.ts'
import { serviceOfFile } from '../support/fresh.ts'
import type { TestService } from '../support/service.ts'

let service: TestService
let site: Site

const shared = serviceOfFile()
beforeEach(async () => {
  service = await shared.fresh('2026-03-10T12:00:00Z')
  site = await service.addSite('example.com')
  await service.createKey()
})

const read = async (operation: string, query = '') => {
  const answer = await service.ask(`/v1/sites/example.com/${operation}${query}`)
  expect(answer.status, answer.text).toBe(200)
  return answer.json
}

describe('a site before its first evidence (spec 2.2)', () => {
  test('every count is null, every list empty, and the window is unknown without gaps', async () => {
    const performance = await read('performance')
    expect(performance).toMatchObject({
      observed_request_count: null,
      daily: [],
      http_outcomes: [],
      meta: {
        coverage_state: 'unknown',
        sources: [],
        data_through: null,
        gaps: [],
        purpose_filter: ['search', 'assistant', 'unknown'],
        window: { from: '2026-02-09', to: '2026-03-10', timezone: 'UTC' },
        as_of: '2026-03-10T12:00:00.000Z',
      },
    })
    expect(await read('crawlers')).toMatchObject({ crawlers: [] })
    expect(await read('top-pages')).toMatchObject({
      limit: 50,
      returned_count: 0,
      total_count: null,
      truncated: false,
      pages: [],
    })
    expect(await read('sources')).toEqual({ sources: [] })
  })
})

describe('an uploaded log (decisions 3.4)', () => {
  test('counts by day and crawler, by outcome, and by page, all out of the same requests', async () => {
    const log = history()
      .on('2026-03-07')
      .humans()
      .crawler('oai-searchbot')
      .requests(3, { path: '/pricing', status: 200, from: '09:00' })
      .requests(2, { path: '/missing', status: 404, from: '10:00' })
      .on('2026-03-08')
      .humans()
      .crawler('chatgpt-user')
      .requests(4, { path: '/pricing', status: 503 })
      .requests(1, { path: '/pricing', status: null, from: '13:00' })
      .crawler('gptbot')
      .requests(7, { path: '/robots.txt', from: '14:00' })
    const receipt = await service.importText(site, log)
    expect(receipt).toMatchObject({
      files: 1,
      lines: 145 * 2 + 17,
      malformed: 0,
      human: 290,
      stored: 17,
      duplicates: 0,
      by_crawler: { gptbot: 7, 'chatgpt-user': 5, 'oai-searchbot': 5 },
    })

    const performance = await read('performance', '?window=7d')
    expect(performance).toMatchObject({
      observed_request_count: 10,
      daily: [
        { date: '2026-03-07', crawler_id: 'oai-searchbot', observed_request_count: 5 },
        { date: '2026-03-08', crawler_id: 'chatgpt-user', observed_request_count: 5 },
      ],
      http_outcomes: [
        { outcome: '2xx', observed_request_count: 3, statuses: [{ http_status: 200, observed_request_count: 3 }] },
        { outcome: '4xx', observed_request_count: 2, statuses: [{ http_status: 404, observed_request_count: 2 }] },
        { outcome: '5xx', observed_request_count: 4, statuses: [{ http_status: 503, observed_request_count: 4 }] },
        {
          outcome: 'response_unobserved',
          observed_request_count: 1,
          statuses: [{ http_status: null, observed_request_count: 1 }],
        },
      ],
      hidden_by_purpose_filter: [{ purpose: 'training', observed_request_count: 7 }],
      observed_by_path_class: [{ path_class: 'content', observed_request_count: 10 }],
    })

    const pages = await read('top-pages', '?window=7d&purpose=search,assistant,training,unknown')
    expect(pages).toMatchObject({
      returned_count: 3,
      total_count: 3,
      truncated: false,
      pages: [
        {
          host: 'example.com',
          path: '/pricing',
          observed_request_count: 8,
          observed_crawler_count: 2,
          observed_response_count: 7,
          observed_share: 8 / 17,
        },
        { path: '/robots.txt', observed_request_count: 7, path_class: 'infrastructure' },
        { path: '/missing', observed_request_count: 2 },
      ],
    })

    expect(await read('crawlers', '?window=7d')).toMatchObject({
      hidden_by_purpose_filter: [{ purpose: 'training', observed_request_count: 7 }],
    })
    const crawlers = await read('crawlers', '?window=7d&purpose=training,search')
    expect(crawlers).toMatchObject({
      meta: { purpose_filter: ['search', 'training'] },
      crawlers: [
        {
          crawler_id: 'gptbot',
          platform: 'OpenAI',
          purpose: 'training',
          identity: 'ua_identified',
          observed_request_count: 7,
          observed_share: 7 / 12,
          scope: 'ai',
          identities: { unknown: 0, ua_identified: 7, provider_verified: 0, network_verified: 0 },
          impostor_request_count: 0,
        },
        { crawler_id: 'oai-searchbot', observed_request_count: 5 },
      ],
    })
  })

  test('answers are the same from facts and from rebuilt roll-ups', async () => {
    const log = history()
    for (const day of ['2026-01-31', '2026-02-01', '2026-03-07', '2026-03-08']) {
      log
        .on(day)
        .humans()
        .crawler('oai-searchbot')
        .requests(30, { path: `/p/${day}` })
        .requests(5, { status: 500, from: '17:00' })
    }
    await service.importText(site, log)
    const ask = async () =>
      Promise.all(['performance', 'crawlers', 'top-pages'].map((operation) => read(operation, '?window=90d')))
    const fromFacts = await ask()
    expect(await service.rebuild()).toBe(4)
    const fromRollUps = await ask()
    expect(fromRollUps).toEqual(fromFacts)
    expect(fromRollUps[0]).toMatchObject({ observed_request_count: 140 })
    expect(await service.rebuild()).toBe(0)
  })

  test('uploading the same lines again changes nothing, whole file or overlap', async () => {
    const first = history().on('2026-03-07').humans().crawler('oai-searchbot').requests(20)
    await service.importText(site, first)
    const before = await read('performance', '?window=7d')
    const again = await service.importText(site, first)
    expect(again).toMatchObject({ stored: 0, duplicates: 20, by_crawler: {} })
    const overlap = `${first.text()}${history().on('2026-03-08').humans().crawler('oai-searchbot').requests(4).text()}`
    expect(await service.importText(site, overlap)).toMatchObject({ stored: 4, duplicates: 20 })
    const after = await read('performance', '?window=7d')
    expect(after.observed_request_count).toBe(Number(before.observed_request_count) + 4)
  })

  test('identical lines of one file are separate requests', async () => {
    const one = history().on('2026-03-07').crawler('oai-searchbot').requests(1).text()
    const person = history().on('2026-03-07').humans().text()
    expect(await service.importText(site, person + one.repeat(3))).toMatchObject({ stored: 3, duplicates: 0 })
    expect(await service.importText(site, person + one.repeat(5))).toMatchObject({ stored: 2, duplicates: 3 })
  })

  test('days without a line are gaps, half-covered days make the window partial, and coverage is read before any count', async () => {
    const log = history().on('2026-03-04').humans().silent(2).humans().crawler('oai-searchbot').requests(1)
    await service.importText(site, log)
    const { meta } = await read('performance', '?window=7d')
    expect(meta).toMatchObject({
      coverage_state: 'partial',
      gaps: [
        { from: '2026-03-05', to: '2026-03-06' },
        { from: '2026-03-08', to: '2026-03-10' },
      ],
      data_through: '2026-03-07T23:59:00.000Z',
    })
  })

  test('a window that was covered whole is complete, and its zero is a zero', async () => {
    const log = history()
    for (const day of ['2026-03-08', '2026-03-09', '2026-03-10', '2026-03-11']) log.on(day).humans()
    service.clock.set('2026-03-10T23:59:30Z')
    const until = log
      .text()
      .split('\n')
      .filter((text) => !text.includes('11/Mar/2026'))
      .join('\n')
    await service.importText(site, until)
    const performance = await read('performance', '?window=3d')
    expect(performance).toMatchObject({ meta: { coverage_state: 'complete', gaps: [] }, observed_request_count: 0 })
  })

  test('a window that no source touched has no count, although the source has reported before it', async () => {
    await service.importText(site, history().on('2026-02-01').humans().crawler('oai-searchbot').requests(9))
    const performance = await read('performance', '?window=7d')
    expect(performance).toMatchObject({
      observed_request_count: null,
      daily: [],
      meta: { coverage_state: 'partial', gaps: [{ from: '2026-03-04', to: '2026-03-10' }] },
    })
    expect(await read('top-pages', '?window=7d')).toMatchObject({ total_count: null, returned_count: 0 })
  })

  test('with the clock inside a log, requests after the clock do not count, before and after a rebuild', async () => {
    const log = history().on('2026-03-09').humans().on('2026-03-10').humans().crawler('oai-searchbot')
    log.requests(3, { from: '09:00' }).requests(5, { from: '18:00' })
    await service.importText(site, log)
    const expected = { observed_request_count: 3, meta: { data_through: '2026-03-10T12:00:00.000Z' } }
    expect(await read('performance', '?window=3d')).toMatchObject(expected)
    await service.rebuild()
    expect(await read('performance', '?window=3d')).toMatchObject(expected)
    expect(await read('top-pages', '?window=3d')).toMatchObject({ pages: [{ observed_request_count: 3 }] })
    service.clock.set('2026-03-10T20:00:00Z')
    expect(await read('performance', '?window=3d')).toMatchObject({ observed_request_count: 8 })
  })

  test('unlabelled automated agents are kept and counted nowhere', async () => {
    const log = history().on('2026-03-07').humans().agent('UnheardOfBot/1.0').requests(6)
    expect(await service.importText(site, log)).toMatchObject({ stored: 6, automated_unlabelled: 6, by_crawler: {} })
    expect(await read('performance', '?window=7d')).toMatchObject({ observed_request_count: 0, daily: [] })
  })

  test('a log of crawlers alone looks filtered: its days are partial and it says so', async () => {
    const receipt = await service.importText(site, history().on('2026-03-07').crawler('oai-searchbot').requests(5))
    expect(receipt.warnings).toMatchObject([{ code: 'no_humans' }])
    const { sources } = await read('sources')
    expect(sources).toMatchObject([
      {
        source_type: 'log_upload',
        connection_status: 'live',
        is_primary: true,
        evidence_from: '2026-03-07',
        completeness: 'partial',
        backfill: null,
        hostname_coverage: {},
        sampling: null,
        http_status_fidelity: 'exact',
        data_through: '2026-03-07T12:00:04.000Z',
        connected_at: '2026-03-10T12:00:00.000Z',
      },
    ])
  })
})

describe('lines of other hosts', () => {
  test('lines of hosts outside the root domain are counted and not stored', async () => {
    const log =
      history()
        .on('2026-03-07')
        .humans({ host: 'www.example.com' })
        .crawler('gptbot')
        .requests(2, { host: 'www.example.com' })
        .text() + history().on('2026-03-07').crawler('gptbot').requests(3, { host: 'example.org' }).text()
    const receipt = await service.importText(site, log)
    expect(receipt).toMatchObject({ stored: 2, other_site: 3, hosts: { 'www.example.com': 147 } })
  })

  test('a log of another site is refused with its hosts and stores nothing', async () => {
    const log = history().on('2026-03-07').humans({ host: 'shop.example.org' })
    await expect(service.importText(site, log)).rejects.toThrow(
      /no line of test.log belongs to example.com.*shop.example.org/,
    )
    expect(await read('sources')).toEqual({ sources: [] })
  })

  test('--host names the host of lines without one and limits the coverage to it', async () => {
    await service.importText(site, history().on('2026-03-07').humans().crawler('oai-searchbot').requests(2), {
      host: 'Blog.Example.com',
    })
    expect(await read('top-pages', '?window=7d')).toMatchObject({ pages: [{ host: 'blog.example.com' }] })
  })
})
