import { beforeEach, describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '#clock.ts'
import { recordSnippetInspection } from '#inspections/snippet-inspections.ts'
import type { Site } from '#sites/site.ts'
import { serviceOfFile } from '../support/fresh.ts'
import type { TestService } from '../support/service.ts'
import { enableTracker, storeEvents } from '../support/tracker.ts'

const NOW = '2026-03-10T12:00:00Z'
const CODES = ['trackers', 'tracker_silent', 'snippet_missing', 'snippet_not_inspected', 'events_refused']

let service: TestService
let site: Site
const shared = serviceOfFile()
beforeEach(async () => {
  service = await shared.fresh(NOW)
  site = await service.addSite('example.com')
})

const db = () => service.installation.control.db
const checked = async () =>
  (await service.installation.operator.checkHealth())
    .filter(({ code }) => CODES.includes(code))
    .map(({ code, message }) => `${code}: ${message}`)
const enable = () => enableTracker(service, site, { from: '2026-03-01T00:00:00Z', through: NOW })

async function inspected(outcome: string, ago_ms: number) {
  const inspected_at = Date.parse(NOW) - ago_ms
  await recordSnippetInspection(db(), { site_id: site.id, host: site.root_domain, inspected_at, outcome })
}

const refuse = (reason: string, events: number) =>
  db()
    .insertInto('collection_counts')
    .values({ site_id: site.id, day: '2026-03-10', outcome: 'refused', reason, events, last_at: Date.parse(NOW) })
    .execute()

describe('the doctor looks at trackers', () => {
  test('and says nothing where there is none', async () => {
    expect(await checked()).toEqual([])
  })

  test('events that arrive, and that stopped arriving', async () => {
    await enable()
    expect(await checked()).toEqual(['tracker_silent: example.com.'])
    await storeEvents(service, site, [{ at: '2026-03-10T11:00:00Z' }])
    expect(await checked()).toEqual(['trackers: Events of 1 site arrive.'])
    service.clock.advance(23 * HOUR_MS)
    expect(await checked()).toEqual(['tracker_silent: example.com.'])
    await db().updateTable('trackers').set({ disabled_at: 1 }).execute()
    expect(await checked()).toEqual([])
  })

  test('a site that awaits its first event, and one whose first events are all refused', async () => {
    await enableTracker(service, site, { from: '2026-03-10T11:00:00Z', through: NOW })
    expect(await checked()).toEqual(['trackers: No event yet: example.com.'])
    const other = await service.addSite('example.org')
    await enableTracker(service, other, { from: '2026-03-10T11:00:00Z', through: NOW })
    await storeEvents(service, other, [{ at: '2026-03-10T11:30:00Z' }])
    expect(await checked()).toEqual(['trackers: Events of 1 site arrive. No event yet: example.com.'])
    await refuse('foreign_origin', 1)
    expect(await checked()).toEqual(['events_refused: example.com (foreign_origin 1 of 1).'])
  })

  test('a snippet that was not found, until a browser loads it', async () => {
    await enable()
    await storeEvents(service, site, [{ at: '2026-03-10T11:00:00Z' }])
    await inspected('not_found', HOUR_MS)
    expect(await checked()).toEqual(['snippet_missing: example.com.'])
    await inspected('timeout', HOUR_MS)
    expect(await checked()).toEqual(['snippet_not_inspected: example.com (timeout).'])
    const proof = { site_id: site.id, day: '2026-03-10', proof: 'script_load', proved_at: Date.parse(NOW) } as const
    await db().insertInto('snippet_proofs').values(proof).execute()
    expect(await checked()).toEqual(['trackers: Events of 1 site arrive.'])
    await inspected('found', -DAY_MS)
    expect(await checked()).toEqual(['trackers: Events of 1 site arrive.'])
  })

  test('many refused events, with their reasons', async () => {
    await enable()
    await storeEvents(
      service,
      site,
      Array.from({ length: 90 }, () => ({ at: '2026-03-10T11:00:00Z' })),
    )
    await refuse('undeclared_property', 4)
    await refuse('rate_limited', 5)
    expect(await checked()).toEqual(['trackers: Events of 1 site arrive.'])
    await refuse('foreign_origin', 1)
    expect(await checked()).toEqual([
      'events_refused: example.com (rate_limited 5, undeclared_property 4, foreign_origin 1 of 100).',
    ])
  })
})
