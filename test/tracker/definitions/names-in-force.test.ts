/** Which event names definitions name, and since when: refused events of all others are kept together (rules 6). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MINUTE_MS } from '#clock.ts'
import type { Site } from '#sites/site.ts'
import { addConversion, archiveConversion, editConversion } from '#tracker/definitions/conversions.ts'
import { readConversionInput, readFunnelInput } from '#tracker/definitions/definition-input.ts'
import { addFunnel, archiveFunnel } from '#tracker/definitions/funnels.ts'
import { findNamedRanges, findNamesInForce } from '#tracker/definitions/names-in-force.ts'
import { declareProperty } from '#tracker/definitions/properties.ts'
import { openTestService, type TestService } from '../../support/service.ts'
import { enableTracker } from '../../support/tracker.ts'

const NOW = '2026-03-10T12:00:00Z'
const BEGAN = Date.parse(NOW)
let service: TestService
let site: Site

beforeAll(async () => {
  service = await openTestService(NOW)
  site = await service.addSite('example.com')
  await enableTracker(service, site, { from: '2026-03-01T00:00:00Z', through: NOW })
})
afterAll(() => service.close())

test('a name is in force while a property, a conversion or a funnel names it; revisions that follow each other are one range', async () => {
  const ctx = { control: service.installation.control, clock: service.clock }
  const { db } = ctx.control
  const matcher = { kind: 'event', event_name: 'signup' }
  const { conversion_id } = await addConversion(ctx, {
    site,
    definition: readConversionInput({ name: 'Signup', matcher }),
  })
  const steps = [
    { kind: 'page', path: '/' },
    { kind: 'conversion', conversion_id },
  ]
  const { slug } = await addFunnel(ctx, { site, definition: readFunnelInput({ name: 'Visit', steps }) })
  await declareProperty(ctx, { site_id: site.id, event_name: 'trial', property_key: 'plan', scalar_kind: 'boolean' })
  service.clock.advance(MINUTE_MS)
  await editConversion(ctx, { site, conversion: 'Signup', edit: { name: 'Signed up' } })
  service.clock.advance(MINUTE_MS)
  expect([...(await findNamesInForce(db, site.id))].sort()).toEqual(['signup', 'trial'])
  await archiveFunnel(ctx, { site, funnel: slug })
  await archiveConversion(ctx, { site, conversion: 'Signed up' })
  expect([...(await findNamesInForce(db, site.id))]).toEqual(['trial'])
  service.clock.advance(MINUTE_MS)
  await addConversion(ctx, { site, definition: readConversionInput({ name: 'Again', matcher }) })
  expect(await findNamedRanges(db, site.id)).toEqual(
    new Map([
      ['trial', [{ from: BEGAN, to: Number.POSITIVE_INFINITY }]],
      [
        'signup',
        [
          { from: BEGAN, to: BEGAN + 2 * MINUTE_MS },
          { from: BEGAN + 3 * MINUTE_MS, to: Number.POSITIVE_INFINITY },
        ],
      ],
    ]),
  )
})
