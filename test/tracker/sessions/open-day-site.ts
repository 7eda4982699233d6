/** A site with conversions and a funnel whose open day is read again and again, for tests of what is derived of it. */
import type { Site } from '#sites/site.ts'
import { readAnalyticsSources } from '#tracker/analytics-sources.ts'
import type { TrackerContext } from '#tracker/context.ts'
import { readConversions } from '#tracker/conversions.ts'
import { addConversion } from '#tracker/definitions/conversions.ts'
import { readConversionInput, readFunnelInput } from '#tracker/definitions/definition-input.ts'
import { addFunnel } from '#tracker/definitions/funnels.ts'
import { readFunnels } from '#tracker/funnels.ts'
import { readJourneys } from '#tracker/journeys.ts'
import { readOverview } from '#tracker/overview.ts'
import { readAnalyticsPages } from '#tracker/pages.ts'
import { deriveSettled } from '#tracker/sessions/settled-sessions.ts'
import type { TestService } from '../../support/service.ts'
import { enableTracker, storeEvents, type TestEvent } from '../../support/tracker.ts'

export const NOW = '2026-03-10T14:10:00.000Z'
export const DAY = '2026-03-10'

/** As the job does it, at an instant of the day (RFC 3339 without a date). */
export const settleAt = (ctx: TrackerContext, time: string) =>
  deriveSettled({ ...ctx, collection: { readableThrough: () => Date.parse(`${DAY}T${time}Z`) } }, undefined, {
    min_events: 1,
  })

export async function readAll(ctx: TrackerContext) {
  const window = '3d'
  return {
    overview: await readOverview(ctx, { window }),
    sources: await readAnalyticsSources(ctx, { window }),
    pages: await readAnalyticsPages(ctx, { window, limit: 100 }),
    conversions: await readConversions(ctx, { window, limit: 100 }),
    journeys: await readJourneys(ctx, { window, limit: 100 }),
    funnels: await readFunnels(ctx, { window, limit: 100, format: 'json' }),
  }
}

let sites = 0
/** One conversion is in force all day, the other one from the midst of a session on. A collector is up. */
export async function addDefinedSite(service: TestService): Promise<TrackerContext> {
  const site: Site = await service.addSite(`open-day-${sites++}.example`)
  await enableTracker(service, site, { from: '2026-03-01T00:00:00Z', through: NOW })
  const collection = { readableThrough: () => service.clock.now(), is_collecting: true }
  const ctx: TrackerContext = { ...service.crawlers, site, collection }
  const matchers = [
    { kind: 'event', event_name: 'signup', property_rules: [] },
    { kind: 'pageview', hostname: site.root_domain, path: '/a', path_fidelity: 'exact', property_rules: [] },
  ]
  const now = service.clock.now()
  for (const [at, matcher] of matchers.entries()) {
    service.clock.set(at === 0 ? '2026-03-09T12:00:00Z' : `${DAY}T09:00:45Z`)
    const definition = readConversionInput({ name: `Conversion ${at}`, matcher })
    await addConversion(ctx, { site, definition })
  }
  service.clock.set('2026-03-09T12:00:00Z')
  const steps = ['/', '/a', '/b'].map((path) => ({ kind: 'page', hostname: site.root_domain, path }))
  await addFunnel(ctx, { site, definition: readFunnelInput({ name: 'Funnel', steps }) })
  service.clock.set(now)
  return ctx
}

/** Stores events of example.com as those of the site. */
export const storeVisits = (service: TestService, { site }: TrackerContext, events: readonly TestEvent[]) =>
  storeEvents(
    service,
    site,
    events.map((event) => ({
      ...event,
      hostname: (event.hostname ?? 'example.com').replace('example.com', site.root_domain),
    })),
  )

export const signup = { kind: 'event', name: 'signup' } as const
/** So that a walk is shown, a session goes on, and events of servers are counted once. */
export const SOME: readonly TestEvent[] = [
  ...[1, 2, 3, 4, 5, 6].flatMap((visitor) => [
    { at: `${DAY}T09:00:00Z`, visitor: 800 + visitor, path: '/' },
    { at: `${DAY}T09:01:00Z`, visitor: 800 + visitor, path: '/a' },
    { at: `${DAY}T09:01:30Z`, visitor: 800 + visitor, path: '/a', ...signup },
    { at: `${DAY}T09:02:00Z`, visitor: 800 + visitor, path: '/b' },
    { at: `${DAY}T${12 + (visitor % 3)}:05:00Z`, visitor: 800 + visitor, path: '/b' },
  ]),
  { at: `${DAY}T09:30:00Z`, stream: 'server', ...signup },
]
