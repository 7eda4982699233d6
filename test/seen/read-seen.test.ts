import { beforeEach, expect, test } from 'vitest'
import { history } from '#demo/history.ts'
import { readSeen } from '#seen/read-seen.ts'
import type { Site } from '#sites/site.ts'
import { serviceOfFile } from '../support/fresh.ts'
import type { TestService } from '../support/service.ts'
import { enableTracker, storeEvents, type TestEvent } from '../support/tracker.ts'

const NOW = '2026-03-10T12:00:00.000Z'

let service: TestService
let site: Site
const shared = serviceOfFile()
beforeEach(async () => {
  service = await shared.fresh(NOW)
  site = await service.addSite('example.com')
  await enableTracker(service, site, { from: '2026-03-08T00:00:00Z', through: NOW })
  const log = history().on('2026-03-09').humans().crawler('gptbot').requests(2, { path: '/a' })
  await service.importText(site, log)
})

const signup: TestEvent = { at: '2026-03-09T10:00:00Z', stream: 'server', kind: 'event', name: 'signup' }

async function seenAfter(events: readonly TestEvent[]) {
  await storeEvents(service, site, events)
  const ctx = { ...service.crawlers, site, collection: { readableThrough: () => service.clock.now() } }
  return readSeen(ctx, { site: 'example.com', window: '3d', limit: 50 })
}

test('pageviews are unknown where only servers of the customer sent events (rules 6.6)', async () => {
  const seen = await seenAfter([signup])
  expect(seen.events.rows).toEqual([{ name: 'signup', events: 1 }])
  expect(seen.hosts.rows).toEqual([{ host: 'example.com', pageviews: null, crawler_requests: 2 }])
  expect(seen.pages.rows).toEqual([{ host: 'example.com', path: '/a', pageviews: null, crawler_requests: 2 }])
})

test('a page without pageviews has none where a browser sent an event', async () => {
  const seen = await seenAfter([signup, { at: '2026-03-09T10:00:00Z', path: '/b' }])
  expect(seen.pages.rows).toEqual([
    { host: 'example.com', path: '/b', pageviews: 1, crawler_requests: 0 },
    { host: 'example.com', path: '/a', pageviews: 0, crawler_requests: 2 },
  ])
})
