import { afterEach, beforeEach, expect, test } from 'vitest'
import { ensureInstallation } from '#accounts/ensure-installation.ts'
import { addBrand, archiveBrand, restoreBrand } from '#brands/brands.ts'
import { changeSettings } from '#brands/engines/settings.ts'
import type { FoundBrand } from '#brands/find-brand.ts'
import { addQuestionBatch } from '#brands/questions/add-questions.ts'
import { createScan } from '#brands/scans/create-scan.ts'
import { cancelScan, endOldScans } from '#brands/scans/end-scan.ts'
import { readScanDays } from '#brands/scans/scan-days.ts'
import { nextScanAt, planScans, scanStart } from '#brands/scans/schedule.ts'
import { DAY_MS, HOUR_MS } from '#clock.ts'
import { type FakeClock, fakeClock } from '../../support/clock.ts'
import { openTestControl, type TestControl } from '../../support/control.ts'

let opened: TestControl
let clock: FakeClock
let brand: FoundBrand
beforeEach(async () => {
  opened = await openTestControl()
  clock = fakeClock('2026-11-10T00:00:00Z')
  const ctx = { control: opened.control, clock }
  const { account_id } = await ensureInstallation(opened.control, clock)
  brand = await addBrand(ctx, { account_id, site_id: null, name: 'Brotwerk', aliases: [], domains: [] })
  const questions = ['One?', 'Two?'].map((text) => ({ text, country: null, tags: [] }))
  await addQuestionBatch(ctx, { brand, questions })
  await opened.control.transaction((trx) =>
    changeSettings(trx, { account_id, engine: 'claude' }, { is_enabled: 1, sealed_key: 'sealed' }),
  )
})
afterEach(() => opened.remove())

const plan = () => planScans({ control: opened.control, clock })
const schedule = (hour: number) =>
  opened.control.db
    .insertInto('scan_schedules')
    .values({ brand_id: brand.id, hour, runs: 2, is_paused: 0, since: clock.now() })
    .execute()
const ALL = { engines: null, question_id: null, branded: null, country: null }
const due = (from: string, to: string, filter = {}) =>
  readScanDays(opened.control.db, brand.id, { ...ALL, from, to, ...filter })

test('a scan begins once a day, within its hour, at a place that brand and day decide', async () => {
  await schedule(6)
  const start = scanStart({ brand_id: brand.id, hour: 6 }, '2026-11-10')
  expect(start).toBeGreaterThanOrEqual(Date.parse('2026-11-10T06:00:00Z'))
  expect(start).toBeLessThan(Date.parse('2026-11-10T07:00:00Z'))
  clock.set(start - 1)
  expect(await plan()).toBe(0)
  clock.set(start)
  expect(await plan()).toBe(1)
  clock.advance(HOUR_MS)
  expect(await plan()).toBe(0)
  expect(await due('2026-11-10', '2026-11-10')).toEqual([
    { engine: 'claude', day: '2026-11-10', not_run: 0, is_answered_later: false },
  ])
  const missing = '00000000-0000-4000-8000-000000000000'
  for (const filter of [{ engines: ['grok'] }, { question_id: missing }, { branded: true }, { country: 'CH' }]) {
    expect(await due('2026-11-10', '2026-11-10', filter)).toEqual([])
  }
  expect(await due('2026-11-10', '2026-11-10', { country: 'none', engines: ['claude'], branded: false })).toHaveLength(
    1,
  )
  clock.advance(DAY_MS)
  expect(await plan()).toBe(1)
})

test('a scan that is answered after midnight has brought its answers later than its day', async () => {
  await schedule(23)
  const start = scanStart({ brand_id: brand.id, hour: 23 }, '2026-11-10')
  clock.set(start)
  await plan()
  const midnight = Date.parse('2026-11-11T00:00:00Z')
  for (const [ended_at, is_answered_later] of [
    [midnight - 1, false],
    [midnight, true],
  ] as const) {
    await opened.control.db.updateTable('scan_runs').set({ state: 'answered', ended_at }).execute()
    expect(await due('2026-11-10', '2026-11-10')).toMatchObject([{ is_answered_later }])
  }
  await opened.control.db.updateTable('scan_runs').set({ state: 'failed' }).execute()
  expect(await due('2026-11-10', '2026-11-10')).toMatchObject([{ is_answered_later: false }])
})

test('days on which no service ran are recorded as not asked, and none before the schedule', async () => {
  await schedule(6)
  clock.advance(3 * DAY_MS + 12 * HOUR_MS)
  expect(await plan()).toBe(1)
  const days = await due('2026-11-01', '2026-11-30')
  expect([...new Set(days.map(({ day, not_run }) => `${day} ${not_run}`))]).toEqual([
    '2026-11-10 4',
    '2026-11-11 4',
    '2026-11-12 4',
    '2026-11-13 0',
  ])
  expect(await plan()).toBe(0)
})

test('a scan that is due just before midnight begins after it, and belongs to the day on which it was due', async () => {
  await schedule(23)
  clock.set('2026-11-11T00:00:10Z')
  expect(await plan()).toBe(1)
  const [scan] = await opened.control.db.selectFrom('scans').selectAll().execute()
  expect(scan).toMatchObject({ day: '2026-11-10', state: 'running', started_at: clock.now() })
  expect(await due('2026-11-01', '2026-11-30')).toMatchObject([{ day: '2026-11-10', not_run: 0 }])
  expect(await plan()).toBe(0)
  clock.set('2026-11-12T00:00:00Z')
  expect(await plan()).toBe(1)
})

test('no scan was due on the days on which its brand was archived', async () => {
  await schedule(6)
  const named = { account_id: brand.account_id, brand: brand.id }
  const ctx = { control: opened.control, clock }
  clock.advance(12 * HOUR_MS)
  expect(await plan()).toBe(1)
  await archiveBrand(ctx, named)
  clock.advance(5 * DAY_MS)
  await restoreBrand(ctx, named)
  expect(await plan()).toBe(0)
  expect((await due('2026-11-01', '2026-11-30')).map(({ day }) => day)).toEqual(['2026-11-10'])
  clock.advance(DAY_MS)
  expect(await plan()).toBe(1)
})

test('a daily scan that is stopped was due all the same, and one that a person began was not', async () => {
  await schedule(6)
  clock.advance(8 * HOUR_MS)
  await plan()
  const { control } = opened
  const stop = async () => {
    const scans = await control.db.selectFrom('scans').selectAll().execute()
    for (const scan of scans) await control.transaction((trx) => cancelScan(trx, scan, clock.now()))
  }
  await stop()
  const stopped = { engine: 'claude', day: '2026-11-10', not_run: 4, is_answered_later: false }
  expect(await due('2026-11-01', '2026-11-30')).toEqual([stopped])
  clock.advance(DAY_MS)
  const begun = { brand, cause: 'person', runs: 1, engines: null, schedule_key: null, missed: null } as const
  await control.transaction((trx) => createScan(trx, { ...begun, started_at: clock.now() }))
  await stop()
  expect(await due('2026-11-01', '2026-11-30')).toEqual([stopped])
})

test('a question that is not asked within a day is no longer asked', async () => {
  await schedule(0)
  clock.advance(HOUR_MS)
  await plan()
  clock.advance(DAY_MS)
  await endOldScans(opened.control, clock.now())
  const scan = await opened.control.db.selectFrom('scans').select('state').executeTakeFirstOrThrow()
  const codes = await opened.control.db.selectFrom('scan_runs').select('code').distinct().execute()
  expect([scan.state, codes]).toEqual(['ended', [{ code: 'expired' }]])
})

test('a paused schedule and an archived brand ask nothing', async () => {
  await schedule(0)
  await opened.control.db.updateTable('scan_schedules').set({ is_paused: 1 }).execute()
  clock.advance(2 * HOUR_MS)
  expect(await plan()).toBe(0)
  await opened.control.db.updateTable('scan_schedules').set({ is_paused: 0 }).execute()
  await opened.control.db.updateTable('brands').set({ archived_at: clock.now() }).execute()
  expect(await plan()).toBe(0)
})

test('the next scan is that of tomorrow where today had one, whatever the hour is now', async () => {
  await schedule(0)
  clock.advance(HOUR_MS)
  const next = (hour: number) => nextScanAt(opened.control.db, { brand_id: brand.id, hour }, clock.now())
  expect(await next(6)).toBe(scanStart({ brand_id: brand.id, hour: 6 }, '2026-11-10'))
  expect(await plan()).toBe(1)
  expect(await next(6)).toBe(scanStart({ brand_id: brand.id, hour: 6 }, '2026-11-11'))
  await opened.control.db.updateTable('scan_schedules').set({ hour: 6, since: clock.now() }).execute()
  clock.set('2026-11-10T07:00:00Z')
  expect(await plan()).toBe(0)
  clock.set('2026-11-11T07:00:00Z')
  expect(await plan()).toBe(1)
})
