/** The builder's visits go through the collector, and the answers report what was sent. */
import { afterEach, expect, test } from 'vitest'
import { DAY_MS } from '#clock.ts'
import { dayStart, utcDay } from '#days/utc-day.ts'
import { seedVisits } from '#demo/seed-visits.ts'
import { sequence, weighted } from '#demo/sequence.ts'
import { sendVisits, visits } from '#demo/visits.ts'
import { addConversion } from '#tracker/definitions/conversions.ts'
import { addFunnel } from '#tracker/definitions/funnels.ts'
import { deriveDays } from '#tracker/sessions/derive-sessions.ts'
import { type Collecting, openCollecting } from '../support/collect.ts'

const BEGINS = '2026-03-08T00:00:00.000Z'
const ENDS = Date.parse('2026-03-10T12:00:00.000Z')
let opened: Collecting | undefined
afterEach(() => opened?.close())

async function lived(history: Parameters<typeof sendVisits>[1]): Promise<Collecting> {
  opened = await openCollecting(BEGINS, { max_silence_ms: Number.POSITIVE_INFINITY })
  const { service, collector, public_key, server_key } = opened
  await service.createKey()
  await sendVisits({ collector, public_key, server_key, moveTo: service.clock.leap }, history, ENDS)
  return opened
}

test('visits are answered as they were sent, days without any break in between', async () => {
  const order = { amount_minor: 1_900, currency: 'EUR', order_id: 'A-1' }
  const history = visits('example.com')
  history
    .on('2026-03-08')
    .visitor(1, '10:00', 'https://chatgpt.com/')
    .opens('/docs?utm_source=chatgpt.com')
    .after(2)
    .opens('/pricing')
  history.after(1).does('signup').pays(order).after(0.1).server('sale', order).after(1_440).server('refund', order)
  history.visitor(2, '09:00').opens('/')
  history.on('2026-03-09').visitor(1, '23:50').opens('/').visitor(1, '08:00').opens('/about').after(31).opens('/')
  history.on('2026-03-10').visitor(3, '11:00', 'https://www.google.com/').opens('/pricing')
  const { service, collector, site } = await lived(history.events())
  const ctx = { ...service.installation.operator, ...service.crawlers }
  await addConversion(ctx, {
    site,
    definition: { name: 'Signed up', matcher: { kind: 'event', event_name: 'signup' } },
  })
  const steps = ['/docs', '/pricing'].map((path) => ({ kind: 'page' as const, path }))
  await addFunnel(ctx, { site, definition: { name: 'Read, then look at prices', steps } })
  await deriveDays({ ...service.crawlers, collection: collector })
  const read = async <T = unknown>(path: string) => (await service.ask(`/v1/sites/${site.id}/${path}`)).json as T
  expect(await read('overview?window=3d')).toMatchObject({
    meta: {
      data_through: '2026-03-10T12:00:00.000Z',
      completeness: {
        gaps: [],
        limitations: ['evidence_begins', 'observed_browsers_only'],
      },
    },
    trend: [
      { day: '2026-03-08', visitor_days: 2, sessions: 2, pageviews: 3 },
      { day: '2026-03-09', visitor_days: 1, sessions: 3, pageviews: 3 },
      { day: '2026-03-10', visitor_days: 1, sessions: 1, pageviews: 1 },
    ],
  })
  expect(await read('analytics-sources?window=3d')).toMatchObject({
    ai_referral: [{ platform: 'chatgpt', evidence: 'both', sessions: 1, pageviews: 2 }],
  })
  expect(await read('pages?window=3d&limit=1')).toMatchObject({
    summary: { pageviews: 7, page_count: 4 },
    pages: [{ path: '/', pageviews: 3, sessions: 3, entries: 3 }],
  })
  expect(await read('journeys?window=3d')).toMatchObject({
    closed_sessions: 6,
    journeys: [{ kind: 'grouped', sessions: 6 }],
  })
  expect(await read('conversions?window=3d')).toMatchObject({
    conversions: [{ name: 'Signed up', metrics: { converted_sessions: 1, sessions: 6 } }],
  })
  const funnel = { name: 'Read, then look at prices', metrics: { entered_sessions: 1 }, step_count: 2 }
  const { funnels } = await read<{ funnels: { slug: string }[] }>('funnels?window=3d')
  expect(funnels).toMatchObject([funnel])
  expect(await read(`funnels/${funnels[0]?.slug}?window=3d`)).toMatchObject({ funnel })
  expect(await read('revenue?window=3d')).toMatchObject({
    reported: [
      { provenance: 'browser', sales_count: 1, refunds_count: 0, net_amount_minor: 1_900 },
      { provenance: 'server', sales_count: 1, refunds_count: 1, net_amount_minor: 0 },
    ],
  })
})

test('an event that is not accepted ends the sending with its reason', async () => {
  const history = visits('other.example').on('2026-03-08').visitor(1, '10:00').opens('/')
  await expect(lived(history.events())).rejects.toThrow(/example/)
})

test('the same seed makes the same visits, another seed other ones; none is later than now or before the first day', () => {
  const now = Date.parse('2026-03-10T12:00:00Z')
  const seeded = (seed: number) => seedVisits('example.com', { now, days: 20, seed })
  expect(seeded(3)).toEqual(seeded(3))
  expect(seeded(3)).not.toEqual(seeded(4))
  const instants = seeded(3).map(({ at }) => at)
  expect(instants).toEqual(instants.toSorted((a, b) => a - b))
  expect(instants[0]).toBeGreaterThanOrEqual(dayStart(utcDay(now - 20 * DAY_MS)))
  expect(instants.at(-1)).toBeLessThanOrEqual(now)
  const names = seeded(3).map(({ event }) => event.id)
  expect(new Set(names).size).toBe(names.length)
})

test('a weighted choice is as likely as its weight', () => {
  const random = sequence(1)
  const drawn = Array.from({ length: 10_000 }, () =>
    weighted(
      [
        ['often', 3],
        ['seldom', 1],
      ],
      random(),
    ),
  )
  const often = drawn.filter((choice) => choice === 'often').length
  expect(often).toBeGreaterThan(7_300)
  expect(often).toBeLessThan(7_700)
})
