import { afterAll, beforeAll, expect, test } from 'vitest'
import { CONTROL_RECORDS, controlRecords } from '#sites/export/control-records.ts'
import type { Site } from '#sites/site.ts'
import { openTestService, type TestService } from '../../support/service.ts'

let service: TestService
let site: Site
beforeAll(async () => {
  service = await openTestService('2026-03-10T12:00:00Z')
  site = await service.addSite('example.com')
})
afterAll(() => service.close())

/** Tables of sites that no export has: secrets, what leads to them, what is derived, and the service's own work. */
const LEFT_OUT = [
  'alert_conditions',
  'alert_deliveries',
  'alerted_issues',
  'brands',
  'builds',
  'day_receipts',
  'dirty_days',
  'earlier_order_keys',
  'expired_days',
  'fixes',
  'intake_batches',
  'open_day_winners',
  'pending_addresses',
  'removed_sites',
  'retired_builds',
  'retired_readings',
  'sender_silences',
  'site_key_sites',
  'snippet_inspections',
  'source_tokens',
]

test('every table of sites is exported, or left out for a reason', async () => {
  const tables = await service.installation.control.db.introspection.getTables()
  const of_sites = tables.filter(({ columns }) =>
    columns.some(({ name }) => ['site_id', 'source_id', 'issue_id'].includes(name)),
  )
  const known = [...Object.keys(CONTROL_RECORDS), ...LEFT_OUT]
  expect(of_sites.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([])
})

test('a record that is deleted while others are written hides none of them', async () => {
  const { db } = service.installation.control
  const origins = Array.from({ length: 1_005 }, (_, at) => `http://localhost:${10_000 + at}`)
  const added_at = service.clock.now()
  for (let at = 0; at < origins.length; at += 100) {
    const some = origins.slice(at, at + 100).map((origin) => ({ site_id: site.id, origin, added_at }))
    await db.insertInto('development_origins').values(some).execute()
  }
  const written: unknown[] = []
  for await (const { record, fields } of controlRecords(service.installation.control, site.id)) {
    if (record !== 'development_origins') continue
    written.push(fields.origin)
    if (written.length === 1) {
      await db
        .deleteFrom('development_origins')
        .where('site_id', '=', site.id)
        .where('origin', '=', String(fields.origin))
        .execute()
    }
  }
  expect(written).toEqual(origins)
})
