/** A page of a host that no source covered: its zero is unknown, whatever is known of other hosts (spec 1.1). */
import { beforeEach, describe, expect, test } from 'vitest'
import { readLastRequests } from '#crawlers/last-requests.ts'
import { readCrawledPage } from '#crawlers/page-detail.ts'
import { readPageEvidence } from '#crawlers/page-evidence.ts'
import { history } from '#demo/history.ts'
import { readSeen } from '#seen/read-seen.ts'
import type { Site } from '#sites/site.ts'
import { serviceOfFile } from '../../support/fresh.ts'
import type { TestService } from '../../support/service.ts'
import { enableTracker, storeEvents } from '../../support/tracker.ts'

const NOW = '2026-03-10T12:00:00.000Z'
const DAYS = { from: '2026-03-08', to: '2026-03-10' }

let service: TestService
let site: Site
const shared = serviceOfFile()
beforeEach(async () => {
  service = await shared.fresh(NOW)
  site = await service.addSite('example.com')
})

const ctx = () => ({ ...service.crawlers, site })
/** A log of one host alone, whose lines may name others. */
async function importLogOf(host: string, lines: readonly { host: string; path: string }[]) {
  const log = history().on('2026-03-09').humans()
  for (const line of lines) log.crawler('oai-searchbot').requests(1, line)
  await service.importText(site, log, { host })
}
const evidenceOf = async (host: string, path = '/a') => {
  const [found] = await readPageEvidence(ctx(), DAYS, [[{ host, path }]])
  return found
}

describe('a page of a host', () => {
  test('that a source covered has a zero', async () => {
    await importLogOf('www.example.com', [{ host: 'www.example.com', path: '/b' }])
    expect(await evidenceOf('www.example.com')).toMatchObject({ coverage_state: 'partial', observed_request_count: 0 })
    expect(await readLastRequests(ctx(), { host: 'www.example.com', path: '/a' })).toEqual([])
  })

  test('that no source covered has none', async () => {
    await importLogOf('www.example.com', [{ host: 'www.example.com', path: '/a' }])
    const unknown = { coverage_state: 'partial', observed_request_count: null, last_observed_at: null }
    expect(await evidenceOf('shop.example.com')).toEqual(unknown)
    expect(await readLastRequests(ctx(), { host: 'shop.example.com', path: '/a' })).toBeNull()
  })

  test('that a source merely saw has what was seen', async () => {
    await importLogOf('www.example.com', [
      { host: 'www.example.com', path: '/a' },
      { host: 'shop.example.com', path: '/a' },
    ])
    expect(await evidenceOf('shop.example.com')).toMatchObject({ observed_request_count: 1 })
    expect(await evidenceOf('shop.example.com', '/b')).toMatchObject({ observed_request_count: null })
    expect(await readLastRequests(ctx(), { host: 'shop.example.com', path: '/a' })).toHaveLength(1)
    const input = { site: 'example.com', window: '3d', host: 'shop.example.com', path: '/a' } as const
    expect((await readCrawledPage(ctx(), input)).observed_request_count).toBe(1)
    expect((await readCrawledPage(ctx(), { ...input, crawler_id: 'gptbot' })).observed_request_count).toBeNull()
  })

  test('that no source covered has none in the lists to pick from', async () => {
    await enableTracker(service, site, { from: '2026-03-08T00:00:00Z', through: NOW })
    await storeEvents(
      service,
      site,
      ['www.example.com', 'shop.example.com'].map((hostname) => ({ at: '2026-03-09T10:00:00Z', hostname, path: '/a' })),
    )
    await importLogOf('www.example.com', [{ host: 'www.example.com', path: '/b' }])
    const collection = { readableThrough: () => service.clock.now() }
    const seen = await readSeen({ ...ctx(), collection }, { site: 'example.com', window: '3d', limit: 50 })
    expect(seen.hosts.rows).toEqual([
      { host: 'www.example.com', pageviews: 1, crawler_requests: 1 },
      { host: 'shop.example.com', pageviews: 1, crawler_requests: null },
    ])
    expect(seen.pages.rows.map(({ host, path, crawler_requests }) => [host, path, crawler_requests])).toEqual([
      ['shop.example.com', '/a', null],
      ['www.example.com', '/a', 0],
      ['www.example.com', '/b', 1],
    ])
  })

  test('is covered by a source of all hosts', async () => {
    await service.importText(site, history().on('2026-03-09').humans().crawler('gptbot').requests(1, { path: '/a' }))
    expect(await evidenceOf('shop.example.com')).toMatchObject({ observed_request_count: 0 })
  })
})
