/** What answers do when the evidence store cannot be read (spec 4.2, rules 6). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Site } from '#sites/site.ts'
import { openTestService, type TestService } from '../../support/service.ts'
import { enableTracker, storeEvents } from '../../support/tracker.ts'

const NOW = '2026-03-10T12:00:00Z'
let service: TestService
let sites: { never: Site; awaiting: Site; measured: Site }

beforeAll(async () => {
  service = await openTestService(NOW)
  const [never, awaiting, measured] = await Promise.all(['a.example', 'b.example', 'c.example'].map(service.addSite))
  sites = { never, awaiting, measured } as typeof sites
  await service.createKey()
  for (const site of [sites.awaiting, sites.measured])
    await enableTracker(service, site, { from: '2026-03-01T00:00:00Z', through: NOW })
  await storeEvents(service, sites.measured, [{ at: '2026-03-09T10:00:00Z' }])
  await service.crawlers.evidence.close()
})
afterAll(() => service.close())

const ask = (site: keyof typeof sites, path: string) => service.ask(`/v1/sites/${sites[site].id}/${path}?window=3d`)

test.each(['never', 'awaiting', 'measured'] as const)(
  'an unreadable store makes every answer unavailable, without a definition too (site: %s)',
  async (site) => {
    for (const path of ['overview', 'analytics-sources', 'pages', 'conversions']) {
      const { status, json } = await ask(site, path)
      expect([path, status]).toEqual([path, 200])
      expect(json.meta).toMatchObject({
        measurement_state: 'unavailable',
        freshness: { state: 'unavailable', limitations: ['evidence_unreadable'] },
      })
    }
    for (const path of ['funnels', 'journeys', 'revenue']) {
      expect([path, (await ask(site, path)).status]).toEqual([path, 503])
    }
  },
)
