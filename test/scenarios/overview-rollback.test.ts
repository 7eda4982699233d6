import { afterAll, beforeAll, expect, test } from 'vitest'
import { setGate } from '#sites/gates.ts'
import type { Site } from '#sites/site.ts'
import { readOverview } from '#tracker/overview.ts'
import { renderCsv } from '../../src/surfaces/csv/csv-answer.ts'
import { REBUILD, readCsv } from '../support/csv.ts'
import { openTestService, type TestService } from '../support/service.ts'
import { enableTracker, storeEvents } from '../support/tracker.ts'

const NOW = '2026-03-10T12:00:00Z'
let service: TestService
let site: Site

beforeAll(async () => {
  service = await openTestService(NOW)
  site = await service.addSite('example.com')
  await enableTracker(service, site, { from: '2026-03-05T00:00:00Z', through: NOW })
  await storeEvents(service, site, [
    { at: '2026-03-05T09:00:00Z', visitor: 1 },
    { at: '2026-03-08T09:00:00Z', visitor: 1 },
    { at: '2026-03-08T09:01:00Z', visitor: 1, path: '/b' },
    { at: '2026-03-10T10:00:00Z', visitor: 2 },
    { at: '2026-03-10T10:00:00Z', visitor: 3, stream: 'bot' },
  ])
})
afterAll(() => service.close())

async function switchSecond(is_open: boolean) {
  const { control, clock } = service.installation
  await control.transaction((tx) =>
    setGate(tx, { clock }, { site_id: site.id, name: 'analytics_overview_v2', is_open }),
  )
}

async function overview() {
  const ctx = { ...service.crawlers, site, collection: { readableThrough: () => service.clock.now() } }
  const answer = await readOverview(ctx, { window: '3d' })
  return { answer, csv: renderCsv('getAnalyticsOverview', answer) }
}

test('the second version of the overview on and off again: the first one’s CSV is the same byte for byte (spec 4.3)', async () => {
  const before = await overview()
  expect(before.csv).toMatch(/^record_type,day,metric,value\r\n/)
  expect(before.csv).toContain('\r\ntrend,2026-03-09,sessions,null\r\n')
  expect(before.csv).toContain('\r\nmetric,,sessions,2\r\n')
  await switchSecond(true)
  const second = await overview()
  expect(second.csv).toMatch(/^record_type,meta_json,day,metric,value\r\n/)
  expect(second.csv).toContain('\r\ntrend,,2026-03-09,limitation,"""no_signal"""\r\n')
  expect(second.csv).toContain('\r\ncomparison,,,sessions,1\r\n')
  expect(REBUILD.getAnalyticsOverview?.(readCsv(second.csv).records)).toEqual(second.answer)
  await switchSecond(false)
  expect(await overview()).toEqual(before)
})
