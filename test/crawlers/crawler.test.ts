/** One crawler: what getCrawler answers, from facts and from roll-ups (spec 2.5). */
import { beforeEach, describe, expect, test } from 'vitest'
import type { CrawlerAnswer, Performance } from '#contract/site-api/index.ts'
import { readList } from '#crawlers/identity/lists/read-list.ts'
import { storeListVersion } from '#crawlers/identity/lists/store-list-version.ts'
import { history } from '#demo/history.ts'
import { sql } from '#evidence/sql.ts'
import type { Site } from '#sites/site.ts'
import { serviceOfFile } from '../support/fresh.ts'
import type { TestService } from '../support/service.ts'

let service: TestService
let site: Site
const shared = serviceOfFile()
beforeEach(async () => {
  service = await shared.fresh('2026-03-10T12:00:00.000Z')
  site = await service.addSite('example.com')
  await service.createKey()
})

const ask = async (id: string, query = 'window=7d', of: Site = site) =>
  service.ask(`/v1/sites/${of.id}/crawlers/${id}?${query}`)
const read = async (id: string, query?: string, of?: Site) => {
  const answer = await ask(id, query, of)
  expect(answer.status, answer.text).toBe(200)
  return answer.json as CrawlerAnswer
}

const lived = () =>
  history()
    .on('2026-03-08')
    .humans()
    .crawler('gptbot')
    .requests(3, { path: '/pricing' })
    .requests(2, { path: '/pricing', status: 403, from: '13:00' })
    .requests(1, { path: '/pricing', status: null, from: '14:00' })
    .crawler('oai-searchbot')
    .requests(7, { path: '/pricing' })
    .on('2026-03-10')
    .crawler('gptbot')
    .requests(2, { path: '/b', status: 503, from: '10:00' })
    .requests(2, { path: '/a', from: '11:00' })

describe.each([
  ['from facts', false],
  ['from roll-ups', true],
])('one crawler, %s', (_from, rebuilt) => {
  test('has its days, outcomes, identities and pages with their statuses, and nothing of others', async () => {
    await service.importText(site, lived())
    if (rebuilt) await service.rebuild()
    const answer = await read('gptbot')
    expect(answer).toMatchObject({
      crawler_id: 'gptbot',
      display_name: 'GPTBot',
      platform: 'OpenAI',
      purpose: 'training',
      observed_request_count: 10,
      identity: 'ua_identified',
      identities: [{ identity: 'ua_identified', observed_request_count: 10 }],
      daily: [
        { date: '2026-03-08', observed_request_count: 6 },
        { date: '2026-03-10', observed_request_count: 4 },
      ],
      total_count: 3,
      returned_count: 3,
      truncated: false,
      limit: 50,
    })
    expect(answer.meta.purpose_filter).toEqual(['search', 'assistant', 'training', 'unknown'])
    expect(answer.meta.gaps).toContainEqual({ from: '2026-03-09', to: '2026-03-09' })
    expect(answer.http_outcomes).toEqual([
      {
        outcome: '2xx',
        observed_request_count: 5,
        statuses: [{ http_status: 200, observed_request_count: 5 }],
      },
      {
        outcome: '4xx',
        observed_request_count: 2,
        statuses: [{ http_status: 403, observed_request_count: 2 }],
      },
      {
        outcome: '5xx',
        observed_request_count: 2,
        statuses: [{ http_status: 503, observed_request_count: 2 }],
      },
      {
        outcome: 'response_unobserved',
        observed_request_count: 1,
        statuses: [{ http_status: null, observed_request_count: 1 }],
      },
    ])
    expect(answer.pages).toEqual([
      {
        host: 'example.com',
        path: '/pricing',
        observed_request_count: 6,
        observed_share: 0.6,
        observed_response_count: 5,
        path_class: 'content',
        path_fidelity: 'exact',
        statuses: [
          { http_status: 200, observed_request_count: 3 },
          { http_status: 403, observed_request_count: 2 },
          { http_status: null, observed_request_count: 1 },
        ],
      },
      expect.objectContaining({ path: '/a', observed_request_count: 2 }),
      expect.objectContaining({ path: '/b', statuses: [{ http_status: 503, observed_request_count: 2 }] }),
    ])
  })

  test('has the total that performance has for its purpose', async () => {
    await service.importText(site, lived())
    if (rebuilt) await service.rebuild()
    const { json } = await service.ask(`/v1/sites/${site.id}/performance?window=7d&purpose=training`)
    const { observed_request_count, daily, http_outcomes } = json as Performance
    const answer = await read('gptbot')
    expect(answer.observed_request_count).toBe(observed_request_count)
    expect(answer.http_outcomes).toEqual(http_outcomes)
    expect(answer.daily).toEqual(daily.map(({ crawler_id: _one, ...row }) => row))
  })

  test('lists the first pages, ties by host and path, and says that there are more', async () => {
    await service.importText(site, lived())
    if (rebuilt) await service.rebuild()
    const answer = await read('gptbot', 'window=7d&limit=2')
    expect(answer.pages.map(({ path }) => path)).toEqual(['/pricing', '/a'])
    expect(answer).toMatchObject({ limit: 2, returned_count: 2, total_count: 3, truncated: true })
  })
})

test('a day whose roll-up an older version made is read from facts, because that version kept no statuses of pages', async () => {
  await service.importText(site, lived())
  await service.rebuild()
  const expected = await read('gptbot')
  const { db } = service.installation.control
  const builds = await db.selectFrom('builds').selectAll().where('site_id', '=', site.id).execute()
  const rows = builds.map(({ day }) => ({
    site_id: site.id,
    day,
    kind: 'crawlers' as const,
    cause: 'layout',
    state: 'written' as const,
    marked: 0,
  }))
  await db.insertInto('dirty_days').values(rows).execute()
  await service.crawlers.evidence.run(sql`TRUNCATE TABLE spoor.page_outcomes_daily`)
  expect(rows.length).toBeGreaterThan(0)
  expect({ ...(await read('gptbot')), meta: null }).toEqual({ ...expected, meta: null })
})

test('before any evidence counts are null and lists empty, never zero', async () => {
  expect(await read('gptbot')).toMatchObject({
    meta: { coverage_state: 'unknown' },
    observed_request_count: null,
    identity: null,
    identities: [],
    daily: [],
    http_outcomes: [],
    total_count: null,
    returned_count: 0,
    truncated: false,
    pages: [],
  })
})

test('a crawler without requests on covered days has zero requests and no identity', async () => {
  await service.importText(site, lived())
  expect(await read('bingbot')).toMatchObject({ observed_request_count: 0, identity: null, total_count: 0, pages: [] })
})

test.each([
  ['nosuchbot', 'has no crawler of this id'],
  ['GPTBot', 'has no crawler of this id'],
  ['meta-externalads', 'no answer counts its requests'],
  ['google-extended', 'no request carries it'],
])('%s is not found, and the answer says why', async (id, why) => {
  const { status, json } = await ask(id)
  expect([status, json.type]).toEqual([404, 'urn:spoor:problem:not_found'])
  expect(json.detail).toContain(why)
})

test('two sites never see each other’s requests', async () => {
  const other = await service.addSite('example.org')
  await service.importText(site, lived())
  await service.importText(other, history().on('2026-03-08').humans().crawler('gptbot').requests(4))
  await service.rebuild()
  expect((await read('gptbot')).observed_request_count).toBe(10)
  expect(await read('gptbot', 'window=7d', other)).toMatchObject({
    observed_request_count: 4,
    pages: [{ host: 'example.org', path: '/' }],
  })
})

test('identity says whether the vendor’s addresses are held, here and in the list of crawlers (rules 2)', async () => {
  await service.importText(site, lived())
  const listed = async () => {
    const { json } = await service.ask(`/v1/sites/${site.id}/crawlers?window=7d&purpose=training`)
    return json.crawlers
  }
  expect((await read('gptbot')).address_list).toBe('not_held')
  expect(await listed()).toMatchObject([{ crawler_id: 'gptbot', address_list: 'not_held' }])
  const list = readList(Buffer.from('{"prefixes":[{"ipv4Prefix":"192.0.2.0/24"}]}'))
  await storeListVersion(service.crawlers, 'https://openai.com/gptbot.json', list)
  expect((await read('gptbot')).address_list).toBe('held')
  expect(await listed()).toMatchObject([{ crawler_id: 'gptbot', address_list: 'held' }])
  service.clock.set('2026-03-20T12:00:00Z')
  expect((await read('gptbot')).address_list).toBe('not_held')
  expect((await read('bytespider')).address_list).toBe('not_published')
})
