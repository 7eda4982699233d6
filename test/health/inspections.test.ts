import { beforeEach, describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '#clock.ts'
import { checkInspections, readInspections } from '#health/inspections.ts'
import { queueInspections } from '#inspections/queue.ts'
import type { Site } from '#sites/site.ts'
import { serviceOfFile } from '../support/fresh.ts'
import { addIssue, endInspections } from '../support/issues.ts'
import type { TestService } from '../support/service.ts'

const file = serviceOfFile()
let service: TestService
let site: Site
beforeEach(async () => {
  service = await file.fresh('2026-03-10T12:00:00Z')
  site = await service.addSite('example.com')
})

const findings = async (public_url: string | null = 'https://spoor.example.org') => {
  const { control, clock } = service.crawlers
  const found = await checkInspections({
    control,
    clock,
    public_url,
    folder: '',
    service: null,
    evidence: () => expect.fail('not needed'),
    secrets: service.installation.secrets,
  })
  return found.map(({ code, message }) => `${code}: ${message}`)
}
const queue = (path: string) =>
  queueInspections(
    service.crawlers.control.db,
    [{ site_id: site.id, host: 'example.com', path, crawler_id: 'gptbot', issue_id: null, reason: 'baseline' }],
    service.clock.now(),
  )

describe('inspections and issues, for the doctor and the metrics', () => {
  test('no finding without inspections', async () => {
    expect(await findings(null)).toEqual([])
  })

  test('inspections that wait, that were made without a public URL, or that failed', async () => {
    const { control, clock } = service.crawlers
    await queue('/a')
    await endInspections(service.crawlers, site, 'clean')
    await addIssue(control, site, { unit: 'one' })
    await addIssue(control, site, { state: 'closed' })
    expect(await findings()).toEqual(['inspections: 1 inspection in 24 hours; 1 open and 0 regressed issues.'])
    expect(await findings(null)).toEqual([
      'inspections_unnamed: Requests of inspections carry no link that explains their sender.',
    ])
    for (const inside of ['http://127.0.0.1:8080', 'https://spoor.internal', 'http://localhost', 'http://10.0.0.7'])
      expect(await findings(inside)).toEqual(await findings(null))
    const [waiting] = await queue('/b')
    service.clock.advance(2 * HOUR_MS)
    expect(await findings()).toEqual(['inspections_waiting: 1 wait, the oldest for 2 h.'])
    expect(await readInspections({ control, clock })).toEqual({
      due: 1,
      deferred: 0,
      running: 0,
      oldest_due_ms: 2 * HOUR_MS,
      made: 1,
      failed: 0,
      expired: 0,
      issues: { open: 1, regressed: 0, fix_detected: 0 },
    })
    const set = (row: object) =>
      control.db.updateTable('inspections').set(row).where('id', '=', String(waiting?.id)).execute()
    await set({ obstacle: 'budget' })
    expect(await findings()).toEqual(['inspections_deferred: 1 wait for the next hour.'])
    await set({ state: 'not_made', obstacle: 'failed', ended_at: clock.now() })
    expect(await findings()).toEqual(['inspections_not_made: Of the last 24 hours 1 failed, 0 waited for a day.'])
    service.clock.advance(2 * DAY_MS)
    expect(await findings()).toEqual(['inspections: 0 inspections in 24 hours; 1 open and 0 regressed issues.'])
  })
})
