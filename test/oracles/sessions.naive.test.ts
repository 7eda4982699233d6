/**
 * Every answer about sessions against plain code, over random histories: first straight from facts, then out of what
 * was derived.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Site } from '#sites/site.ts'
import { readAnalyticsSources } from '#tracker/analytics-sources.ts'
import type { TrackerContext } from '#tracker/context.ts'
import { readOverview } from '#tracker/overview.ts'
import { readAnalyticsPages } from '#tracker/pages.ts'
import { deriveDays } from '#tracker/sessions/derive-sessions.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { enableTracker, storeEvents } from '../support/tracker.ts'
import { plainOverview, plainPages, plainSessions, plainSources } from '../tracker/plain-sessions.ts'
import { histories } from '../tracker/sessions/random-histories.ts'

const NOW = '2026-03-10T12:10:00.000Z'
const DAYS = ['2026-03-08', '2026-03-09', '2026-03-10']
const VISITORS = 34
/** 34 visitors on 3 days, 10 times: 1,020 histories. */
const RUNS = 10

let service: TestService
beforeAll(async () => {
  service = await openTestService(NOW)
})
afterAll(() => service.close())

const contextOf = (site: Site): TrackerContext => ({
  ...service.crawlers,
  site,
  collection: { readableThrough: () => service.clock.now() },
})

async function readAll(ctx: TrackerContext) {
  const { metrics, trend, averaged_sessions, closed_sessions } = await readOverview(ctx, { window: '3d' })
  const { acquisition, ai_referral, utm } = await readAnalyticsSources(ctx, { window: '3d' })
  const { pages, summary } = await readAnalyticsPages(ctx, { window: '3d', limit: 100 })
  const { conversions, ...counted } = metrics
  return {
    overview: {
      metrics: counted,
      averaged_sessions,
      closed_sessions,
      trend: trend.map(({ conversions, ...row }) => row),
    },
    sources: { acquisition, ai_referral, utm },
    pages: pages.map(({ conversions, crawler, ...row }) => row),
    summary,
  }
}

test('overview, sources and pages of random histories are what plain code makes of them, before and after the derivation', async () => {
  let made = 0
  const seen = { open: 0, bounced: 0, several: 0, unpublished: 0 }
  await fc.assert(
    fc.asyncProperty(histories(DAYS, VISITORS), async (events) => {
      const site = await service.addSite(`example${++made}.com`)
      await enableTracker(service, site, { from: '2026-03-01T00:00:00Z', through: NOW })
      // Something on every day, and the first event ever before the window: no day is a gap.
      const everyone = [...DAYS.map((day) => ({ at: `${day}T00:00:00Z`, visitor: 999 })), ...events]
      await storeEvents(service, site, [{ at: '2026-03-02T10:00:00Z' }, ...everyone])
      const sessions = plainSessions(everyone, Date.parse(NOW))
      const expected = {
        overview: plainOverview(sessions, DAYS),
        sources: plainSources(sessions, site.root_domain),
        pages: plainPages(sessions, site.root_domain),
      }
      const ctx = contextOf(site)
      const before = await readAll(ctx)
      expect(before).toMatchObject(expected)
      expect(await deriveDays(ctx)).toBe(3)
      expect(await readAll(ctx)).toEqual(before)
      seen.open += sessions.filter((session) => !session.is_closed).length
      seen.several += sessions.filter((session) => session.events.length > 1).length
      seen.bounced += sessions.filter((session) => session.events.length === 1).length
      seen.unpublished += sessions.filter((session) => session.events.every((event) => event.kind === 'event')).length
    }),
    { numRuns: RUNS, endOnFailure: true },
  )
  // What the histories were made for did come up.
  for (const times of Object.values(seen)) expect(times).toBeGreaterThan(10)
}, 240_000)
