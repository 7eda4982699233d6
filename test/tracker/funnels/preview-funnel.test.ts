/** What a funnel would answer before it is stored: the same as afterwards, and nothing stays behind. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FunnelPreview } from '#contract/dashboard-api/index.ts'
import type { Site } from '#sites/site.ts'
import { type Browser, signInAs } from '../../support/person.ts'
import { openTestService, type TestService } from '../../support/service.ts'
import { enableTracker, storeEvents } from '../../support/tracker.ts'

const WAY = {
  name: 'Way',
  steps: [
    { kind: 'page', path: '/pricing' },
    { kind: 'page', path: '/signup' },
  ],
}

let service: TestService
let site: Site
let browser: Browser

beforeAll(async () => {
  service = await openTestService('2026-03-10T12:00:00Z')
  site = await service.addSite('example.com')
  await enableTracker(service, site, { from: '2026-03-08T00:00:00Z', through: '2026-03-10T12:00:00Z' })
  const on = (day: string, visitors: number, path: string, minute: number) =>
    Array.from({ length: visitors }, (_, visitor) => ({ at: `${day}T08:${minute}:00Z`, visitor, path }))
  await storeEvents(service, site, [
    ...[...on('2026-03-08', 9, '/pricing', 10), ...on('2026-03-08', 4, '/signup', 15)],
    ...[...on('2026-03-09', 6, '/pricing', 10), ...on('2026-03-09', 6, '/signup', 15)],
    ...on('2026-03-10', 5, '/signup', 10),
  ])
  browser = await signInAs(service, service.installation.operator)
})
afterAll(() => service.close())

const preview = async (definition: unknown = WAY) => {
  const answer = await browser.change('previewFunnel', { site: site.id, window: '7d', definition })
  return { ...answer, funnel: (answer.json as FunnelPreview).funnel }
}

test('it counts as the stored funnel does afterwards, and stores nothing', async () => {
  const { status, funnel } = await preview()
  expect(status).toBe(200)
  expect(funnel.steps.map(({ reached_sessions }) => reached_sessions)).toEqual([15, 10])
  const listed = await browser.read('getAnalyticsFunnels', { site: site.id, window: '7d' })
  expect(listed.json).toMatchObject({ funnels: [] })
  const added = await browser.change('funnel.add', { site: site.id, definition: WAY })
  const { slug } = added.json as { slug: string }
  const stored = await browser.read('getAnalyticsFunnel', { site: site.id, funnel: slug, window: '7d' })
  const answer = (stored.json as FunnelPreview).funnel
  expect(answer.metrics).toEqual(funnel.metrics)
  expect(answer.evaluation_coverage).toEqual(funnel.evaluation_coverage)
})

test('the privacy floor applies to it too', async () => {
  await browser.change('site.privacy_floor', { site: site.id, privacy_floor: 20 })
  const { funnel } = await preview()
  expect(funnel).toMatchObject({ evidence_state: 'suppressed', metrics: { entered_sessions: null } })
  await browser.change('site.privacy_floor', { site: site.id, privacy_floor: 0 })
})

test('what makes no funnel is refused as when it is stored', async () => {
  const { status, text } = await preview({ ...WAY, steps: WAY.steps.slice(0, 1) })
  expect(status).toBe(400)
  expect(text).toContain('A funnel has 2 to 5 steps; this one has 1.')
})
