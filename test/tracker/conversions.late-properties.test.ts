/**
 * A conversion with a rule about a property that was declared later is a lower bound, and the answer says why (decision
 * 0022).
 */
import { beforeEach, expect, test } from 'vitest'
import type { Site } from '#sites/site.ts'
import { addConversion } from '#tracker/definitions/conversions.ts'
import { readConversionInput } from '#tracker/definitions/definition-input.ts'
import { declareProperty } from '#tracker/definitions/properties.ts'
import { serviceOfFile } from '../support/fresh.ts'
import type { TestService } from '../support/service.ts'
import { enableTracker, storeEvents } from '../support/tracker.ts'

const NOW = '2026-03-10T12:00:00.000Z'
const shared = serviceOfFile()
let service: TestService
let site: Site

beforeEach(async () => {
  service = await shared.fresh('2026-03-09T12:00:00Z')
  site = await service.addSite('example.com')
  await service.createKey()
  await enableTracker(service, site, { from: '2026-03-01T00:00:00Z', through: NOW })
  await storeEvents(service, site, [
    { at: '2026-03-01T10:00:00Z' },
    { at: '2026-03-08T10:00:00Z' },
    { at: '2026-03-09T10:00:00Z' },
    { at: '2026-03-10T10:00:00Z' },
  ])
})

async function read(): Promise<{ quality: string; limitations: string[] }> {
  service.clock.set(NOW)
  const { json, status, text } = await service.ask(`/v1/sites/${site.id}/conversions?window=3d`)
  expect(status, text).toBe(200)
  const { meta, conversions } = json as {
    meta: { completeness: { limitations: string[] } }
    conversions: { metrics: { quality: string } }[]
  }
  return { quality: conversions[0]?.metrics.quality ?? '', limitations: meta.completeness.limitations }
}

async function define(property_rules: unknown[]): Promise<void> {
  const named = { site_id: site.id, event_name: 'signup', property_key: 'seats' }
  await declareProperty(service.installation, { ...named, scalar_kind: 'integer' })
  const matcher = { kind: 'event', event_name: 'signup', property_rules }
  await addConversion(service.installation, { site, definition: readConversionInput({ name: 'Team', matcher }) })
}

test('a rule about a property that was declared in the window names the reason of its lower bound', async () => {
  await define([{ property_key: 'seats', operator: 'between', comparison: { lower: 2, upper: 9 } }])
  expect(await read()).toEqual({
    quality: 'observed_lower_bound',
    limitations: ['observed_browsers_only', 'property_declared_later'],
  })
})

test('a conversion without rules is exact, whenever properties were declared', async () => {
  await define([])
  expect(await read()).toEqual({ quality: 'exact', limitations: ['observed_browsers_only'] })
})
