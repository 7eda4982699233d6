import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Crawlers, Performance, Sources, TopPages } from '#contract/site-api/index.ts'
import { type History, history } from '#demo/history.ts'
import { eraseRemovedSites } from '#jobs/erase-removed-sites.ts'
import type { Site } from '#sites/site.ts'
import { removeSite } from '#sites/sites.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { addKeyOf, addPerson, addSiteOf } from './people.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService('2026-03-10T12:00:00Z')
  await service.addSite('first.example')
  await service.createKey()
})
afterAll(() => service.close())

const EVERYTHING = 'window=7d&purpose=search,assistant,training,unknown'
async function readAll(site: Site, key?: string) {
  const read = async (operation: string) => {
    const options = key === undefined ? {} : { key }
    const answer = await service.ask(`/v1/sites/${site.id}/${operation}?${EVERYTHING}`, options)
    expect(answer.status, answer.text).toBe(200)
    return answer.json
  }
  return {
    performance: (await read('performance')) as Performance,
    crawlers: (await read('crawlers')) as Crawlers,
    top: (await read('top-pages')) as TopPages,
    sources: (await read('sources')) as Sources,
  }
}

/** The same days, crawlers, paths and seconds for each site; only how often differs. */
const interleaved = (requests: number): History =>
  history()
    .on('2026-03-08')
    .humans()
    .crawler('gptbot')
    .requests(requests, { path: '/shared' })
    .on('2026-03-09')
    .humans()
    .crawler('oai-searchbot')
    .requests(requests, { path: '/shared', status: requests === 3 ? 404 : 200 })
    .requests(1, { path: `/only-${requests}`, from: '15:00' })

describe('two sites with interleaved evidence', () => {
  let one: Site
  let two: Site
  let theirs: Site
  let theirKey: string
  beforeAll(async () => {
    one = await service.addSite('one.example')
    two = await service.addSite('two.example')
    const person = await addPerson(service)
    theirs = await addSiteOf(service, person, 'one.example')
    theirKey = (await addKeyOf(service, person)).secret
    await service.importText(one, interleaved(3))
    await service.importText(two, interleaved(5))
    await service.rebuild()
    await service.importText(theirs, interleaved(7))
    await service.importText(one, history().on('2026-03-09').crawler('chatgpt-user').requests(2, { path: '/shared' }))
  })

  const expectOwn = async (site: Site, requests: number, extra: number, key?: string) => {
    const { performance, crawlers, top, sources } = await readAll(site, key)
    const total = 2 * requests + 1 + extra
    expect(performance.observed_request_count).toBe(total)
    expect(crawlers.crawlers.map((row) => [row.crawler_id, row.observed_request_count])).toEqual([
      ['oai-searchbot', requests + 1],
      ['gptbot', requests],
      ...(extra === 0 ? [] : [['chatgpt-user', extra]]),
    ])
    const host = site.root_domain
    expect(top.pages).toMatchObject([
      { host, path: '/shared', observed_request_count: 2 * requests + extra },
      { host, path: `/only-${requests}`, observed_request_count: 1, observed_share: 1 / total },
    ])
    expect(top.total_count).toBe(2)
    expect(sources.sources).toHaveLength(1)
    expect(performance.meta.sources).toEqual(sources.sources)
    return sources.sources[0]?.id
  }

  test.each(['from facts and roll-ups', 'from roll-ups'])('never see each other’s rows, %s', async (from) => {
    if (from === 'from roll-ups') await service.rebuild()
    const ids = [await expectOwn(one, 3, 2), await expectOwn(two, 5, 0), await expectOwn(theirs, 7, 0, theirKey)]
    expect(new Set(ids).size).toBe(3)
  })

  test('identical lines belong to their sites: none is a duplicate of another site’s, and a repeat is one of the same site’s', async () => {
    const three = await service.addSite('three.example')
    const lines = interleaved(3).text()
    expect(await service.importText(three, lines)).toMatchObject({ stored: 7, duplicates: 0 })
    expect(await service.importText(two, lines)).toMatchObject({ stored: 4, duplicates: 3 })
    expect(await service.importText(three, lines)).toMatchObject({ stored: 0, duplicates: 7 })
    await expectOwn(three, 3, 0)
    await expectOwn(one, 3, 2)
  })

  test('a site without evidence reports unknown beside busy ones', async () => {
    const empty = await service.addSite('empty.example')
    const { performance, crawlers, top, sources } = await readAll(empty)
    expect(performance).toMatchObject({
      meta: { coverage_state: 'unknown', sources: [], gaps: [], data_through: null },
      observed_request_count: null,
      daily: [],
      http_outcomes: [],
    })
    expect([crawlers.crawlers, top.pages, top.total_count, sources.sources]).toEqual([[], [], null, []])
  })

  test('removing a site deletes its own evidence and no other’s; the same domain added again begins as unknown', async () => {
    const gone = await service.addSite('gone.example')
    await service.importText(gone, interleaved(9))
    await service.rebuild()
    await removeSite(service.installation.operator, { account_id: gone.account_id, site_id: gone.id })
    const again = await service.addSite('gone.example')
    const expectNothing = async () => {
      const { performance, sources } = await readAll(again)
      expect([performance.observed_request_count, performance.meta.coverage_state]).toEqual([null, 'unknown'])
      expect(sources.sources).toEqual([])
    }
    await expectNothing()
    await eraseRemovedSites(await service.installation.crawlers())
    await expectNothing()
    await expectOwn(one, 3, 2)
    await expectOwn(theirs, 7, 0, theirKey)
    expect(await service.importText(again, interleaved(9))).toMatchObject({ stored: 19, duplicates: 0 })
    await expectOwn(again, 9, 0)
  })
})

describe('scope ads (decisions 3.3)', () => {
  test.each(['from facts', 'from roll-ups'])('is kept and never counts, under no filter, %s', async (from) => {
    const site = await service.addSite(`ads-${from.replaceAll(' ', '-')}.example`)
    const log = history().on('2026-03-09').humans()
    for (const crawler of ['oai-adsbot', 'meta-externalads']) log.crawler(crawler).requests(6, { path: '/landing' })
    expect(await service.importText(site, log)).toMatchObject({ stored: 12 })
    if (from === 'from roll-ups') await service.rebuild()
    for (const query of ['', '?purpose=unknown', '?purpose=search', `?${EVERYTHING}`]) {
      const read = async (operation: string) => (await service.ask(`/v1/sites/${site.id}/${operation}${query}`)).json
      expect(await read('performance')).toMatchObject({
        observed_request_count: 0,
        daily: [],
        http_outcomes: [],
        observed_by_scope: [],
        observed_by_path_class: [],
        hidden_by_purpose_filter: [],
      })
      expect(await read('crawlers')).toMatchObject({ crawlers: [] })
      expect(await read('top-pages')).toMatchObject({ total_count: 0, returned_count: 0, pages: [], truncated: false })
    }
  })

  test('it adds nothing to counted crawlers on the same pages', async () => {
    const site = await service.addSite('mixed.example')
    const log = history().on('2026-03-09').humans()
    log.crawler('oai-adsbot').requests(6, { path: '/landing' }).crawler('gptbot').requests(2, { path: '/landing' })
    await service.importText(site, log)
    const { performance, crawlers, top } = await readAll(site)
    expect(performance).toMatchObject({
      observed_request_count: 2,
      observed_by_scope: [{ scope: 'ai', observed_request_count: 2 }],
    })
    expect(crawlers.crawlers).toMatchObject([{ crawler_id: 'gptbot', observed_share: 1 }])
    expect(top.pages).toMatchObject([{ observed_request_count: 2, observed_crawler_count: 1 }])
  })
})
