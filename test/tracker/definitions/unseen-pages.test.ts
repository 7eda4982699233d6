import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DefinitionPage, findUnseenPages } from '#tracker/definitions/unseen-pages.ts'
import { deriveDays } from '#tracker/sessions/derive-sessions.ts'
import { openTestService, type TestService } from '../../support/service.ts'
import { enableTracker, storeEvents } from '../../support/tracker.ts'

const NOW = '2026-03-10T12:00:00.000Z'
let service: TestService
beforeAll(async () => {
  service = await openTestService(NOW)
})
afterAll(() => service.close())

const page = (hostname: string, path: string): DefinitionPage => ({ hostname, path })

test('a page without visitors is reported, with the pages that may be meant', async () => {
  const site = await service.addSite('example.com')
  const unseen = (...pages: DefinitionPage[]) => findUnseenPages(service.crawlers, site.id, pages)
  expect(await unseen(page('example.com', '/pricing'))).toBeNull()

  await enableTracker(service, site, { from: '2026-03-01T00:00:00Z', through: NOW })
  await storeEvents(service, site, [
    { at: '2026-03-02T10:00:00Z', hostname: 'www.example.com', path: '/pricing' },
    { at: '2026-03-02T10:01:00Z', hostname: 'www.example.com', path: '/docs/' },
    { at: '2026-03-10T10:00:00Z', hostname: 'shop.example.com', path: '/pricing/' },
    { at: '2026-03-10T10:00:00Z', path: '/event-only', kind: 'event', name: 'signup' },
    { at: '2026-03-10T10:00:00Z', path: '/bot-only', stream: 'bot' },
  ])
  const check = async () => {
    expect(await unseen(page('www.example.com', '/pricing'), page('shop.example.com', '/pricing/'))).toEqual([])
    const root = page('example.com', '/pricing')
    expect(await unseen(root, page('www.example.com', '/docs'), root, page('example.com', '/'))).toEqual([
      { ...root, seen: [page('www.example.com', '/pricing'), page('shop.example.com', '/pricing/')] },
      { ...page('www.example.com', '/docs'), seen: [page('www.example.com', '/docs/')] },
      { ...page('example.com', '/'), seen: [] },
    ])
    for (const path of ['/event-only', '/bot-only']) {
      expect(await unseen(page('example.com', path))).toEqual([{ ...page('example.com', path), seen: [] }])
    }
  }
  await check()
  const ctx = { ...service.crawlers, site, collection: { readableThrough: () => service.clock.now() } }
  expect(await deriveDays(ctx)).toBe(1)
  await check()

  const other = await service.addSite('example.org')
  expect(await findUnseenPages(service.crawlers, other.id, [page('www.example.com', '/pricing')])).toBeNull()
})
