/** Hours of a zone that keep failing: they hold up no older one, are tried again, and are shown (decisions 3.7). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '#clock.ts'
import { listSources } from '#sources/sources.ts'
import { openZoneService, type ZoneService } from './zone-service.ts'

let it: ZoneService
beforeAll(async () => {
  it = await openZoneService('2026-03-10T12:10:00Z')
})
afterAll(() => it.close())

const FAILING = ['2026-03-10T04:00:00Z', '2026-03-10T05:00:00Z', '2026-03-10T06:00:00Z']

const counted = async () =>
  (await it.read('performance?window=3d&purpose=search,assistant,training,unknown')).observed_request_count
const failedHours = async () => {
  const [source] = await listSources(it.installation.operator, it.site.id)
  return source?.failed_hours.map(({ hour, attempts, error_code }) => [
    new Date(hour).toISOString(),
    attempts,
    error_code,
  ])
}

test('three hours that keep failing delay no older hour, are retried after growing pauses, and are shown', async () => {
  it.made('2026-03-10T01:10:00Z', 2)
  it.made('2026-03-10T05:10:00Z', 3)
  for (const hour of FAILING) it.cloudflare.hour_faults[hour] = 'no_json'
  await it.connect()
  await it.pollAll()
  const first = FAILING.map((hour) => [hour.replace('Z', '.000Z'), 1, 'bad_answer'])
  expect(await failedHours()).toEqual(first)
  it.clock.advance(5 * MINUTE_MS)
  await it.pollAll()
  expect(await counted()).toBe(2)
  expect(await failedHours()).toEqual(first)
  expect((await it.source()).connection_status).toBe('live')
  expect((await it.source()).coverage_limitations).toContain('hours_failing')

  it.clock.advance(HOUR_MS)
  await it.pollAll()
  expect((await failedHours())?.map(([, attempts]) => attempts)).toEqual([2, 2, 2])
  it.cloudflare.hour_faults = {}
  it.clock.advance(HOUR_MS)
  await it.pollAll()
  expect(await counted()).toBe(5)
  expect(await failedHours()).toEqual([])
  expect((await it.source()).coverage_limitations).not.toContain('hours_failing')
})

test('recent hours that keep failing delay no older one either', async () => {
  it.clock.advance(10 * HOUR_MS)
  const now = it.clock.now()
  const recent = [1, 2, 3].map((back) => new Date((Math.floor(now / HOUR_MS) - back) * HOUR_MS).toISOString())
  for (const hour of recent) it.cloudflare.hour_faults[hour.replace('.000', '')] = 'no_json'
  const before = await readings()
  await it.pollAll()
  it.clock.advance(5 * MINUTE_MS)
  await it.pollAll()
  expect((await readings()) - before).toBeGreaterThanOrEqual(5)
  expect((await failedHours())?.length).toBe(3)
})

async function readings(): Promise<number> {
  return (await it.ctx.control.db.selectFrom('hour_readings').select('hour').execute()).length
}
