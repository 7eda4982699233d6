import { Readable } from 'node:stream'
import pino from 'pino'
import Type from 'typebox'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { DAY_MS, MINUTE_MS } from '#clock.ts'
import type { Meta } from '#contract/meta.ts'
import { judgePrimaries } from '#crawlers/coverage/judge-primaries.ts'
import { readSiteCoverage } from '#crawlers/coverage/site-coverage.ts'
import { crawlerMonths } from '#crawlers/roll-ups/month-roll-ups.ts'
import { crawlerRollUps } from '#crawlers/roll-ups/rebuild-roll-ups.ts'
import { history } from '#demo/history.ts'
import { deleteRetired } from '#derived/delete-retired-builds.ts'
import { count, rows } from '#evidence/sql.ts'
import { importLog } from '#intake/import/import-log.ts'
import { folderJobs } from '#jobs/folder-jobs.ts'
import type { JobEnded } from '#jobs/job.ts'
import { startSchedule } from '#jobs/schedule.ts'
import { enforceRetention } from '#retention/enforce-crawler-retention.ts'
import { findExpiredDays } from '#retention/find-expired.ts'
import { expireDays } from '#retention/mark-expired-days.ts'
import { setRetention } from '#sites/retention.ts'
import type { Site } from '#sites/site.ts'
import { serviceOfFile } from '../support/fresh.ts'
import { addLiveSource } from '../support/live-evidence.ts'
import type { TestService } from '../support/service.ts'

let service: TestService
let site: Site
const shared = serviceOfFile()
beforeEach(async () => {
  service = await shared.fresh('2026-03-10T12:00:00Z')
  site = await service.addSite('example.com')
  await service.createKey()
})

const crawled = (...days: string[]) => {
  const all = history()
  for (const day of days)
    all
      .on(day)
      .humans()
      .crawler('oai-searchbot')
      .requests(5, { path: `/p/${day}` })
  return all
}

const read = async (name: string, query = '?window=90d') =>
  (await service.ask(`/v1/sites/example.com/${name}${query}`)).json

const Stored = Type.Object({ n: count() })
async function stored(): Promise<Record<string, number>> {
  const { evidence } = service.crawlers
  const of = async (statement: ReturnType<ReturnType<typeof rows<typeof Stored>>>) =>
    (await evidence.all(statement))[0]?.n as number
  return {
    requests: await of(rows(Stored)`SELECT count() AS n FROM spoor.requests FINAL`),
    pages: await of(rows(Stored)`SELECT count() AS n FROM spoor.pages FINAL`),
    crawler_daily: await of(rows(Stored)`SELECT sum(requests) AS n FROM spoor.crawler_daily`),
    page_monthly: await of(rows(Stored)`SELECT sum(requests) AS n FROM spoor.page_monthly`),
    page_outcomes_daily: await of(rows(Stored)`SELECT sum(requests) AS n FROM spoor.page_outcomes_daily`),
  }
}

/** Rounds of the background job until nothing is left to do. */
async function rounds(): Promise<number> {
  const ended = await enforceRetention(service.crawlers)
  service.clock.advance(11 * MINUTE_MS)
  await enforceRetention(service.crawlers)
  await service.rebuild()
  service.clock.advance(11 * MINUTE_MS)
  await deleteRetired(service.crawlers, [crawlerRollUps(service.crawlers, 'left'), crawlerMonths(service.crawlers)])
  return ended
}

describe('retention (decisions 8, rules 4)', () => {
  test('is 400 days until the owner sets another', async () => {
    const { control } = service.crawlers
    expect(await control.db.selectFrom('sites').select('retention_days').execute()).toEqual([{ retention_days: 400 }])
    for (const days of [0, 1.5, -3, 40_000]) {
      await expect(setRetention(service.crawlers, { site_id: site.id, days })).rejects.toThrow(/whole number of days/)
    }
  })

  test('uploads age from receipt: an old log is kept from its upload on, and then its days are gaps', async () => {
    await service.importText(site, crawled('2024-01-05', '2026-03-01', '2026-03-02'))
    await service.rebuild()
    service.clock.advance(399 * DAY_MS)
    expect(await rounds()).toBe(0)
    expect(await stored()).toEqual({
      requests: 15,
      pages: 3,
      crawler_daily: 15,
      page_monthly: 15,
      page_outcomes_daily: 15,
    })
    service.clock.advance(2 * DAY_MS)
    expect(await rounds()).toBe(3)
    expect(await stored()).toEqual({ requests: 0, pages: 0, crawler_daily: 0, page_monthly: 0, page_outcomes_daily: 0 })
    expect(await rounds()).toBe(0)
  })

  test('evidence within the retention is kept, and expired days are gaps, not zeros', async () => {
    await service.importText(site, crawled('2026-03-01', '2026-03-02', '2026-03-03'))
    service.clock.advance(5 * DAY_MS)
    await service.importText(site, crawled('2026-03-12', '2026-03-13'))
    await service.rebuild()
    await setRetention(service.crawlers, { site_id: site.id, days: 3 })
    expect(await rounds()).toBe(3)
    expect(await stored()).toEqual({
      requests: 10,
      pages: 2,
      crawler_daily: 10,
      page_monthly: 0,
      page_outcomes_daily: 10,
    })
    const performance = await read('performance', '?window=30d')
    expect(performance).toMatchObject({
      observed_request_count: 10,
      meta: {
        coverage_state: 'partial',
        gaps: [
          { from: '2026-02-14', to: '2026-03-11' },
          { from: '2026-03-14', to: '2026-03-15' },
        ],
        sources: [{ evidence_from: '2026-03-12' }],
      },
    })
    expect(await read('top-pages', '?window=30d')).toMatchObject({ total_count: 2 })
  })

  test('when everything has expired the site has still reported: counts are null and every day is a gap', async () => {
    await service.importText(site, crawled('2026-03-01'))
    await setRetention(service.crawlers, { site_id: site.id, days: 2 })
    service.clock.advance(3 * DAY_MS)
    await rounds()
    expect(await read('performance', '?window=30d')).toMatchObject({
      observed_request_count: null,
      daily: [],
      meta: { coverage_state: 'partial', gaps: [{ from: '2026-02-12', to: '2026-03-13' }] },
    })
  })

  test('a source whose evidence has all expired still states how far it had reported, and so does the answer', async () => {
    await service.importText(site, crawled('2026-03-01'))
    const intake = await addLiveSource(service, site, 'https_intake')
    await setRetention(service.crawlers, { site_id: site.id, days: 10 })
    service.clock.advance(11 * DAY_MS)
    await intake.covered('2026-03-20T00:00:00Z', '2026-03-21T11:30:00Z')
    const through = async () => {
      const { sources, data_through } = (await read('performance')).meta as Meta
      return { upload: sources.find((source) => source.source_type === 'log_upload')?.data_through, data_through }
    }
    const before = await through()
    // The upload ended when the live source went on, so that the live one alone says how far the answer reaches.
    expect(before).toEqual({ upload: expect.stringMatching(/^2026-03-01T/), data_through: '2026-03-21T11:30:00.000Z' })
    await rounds()
    expect(await through()).toEqual(before)
    const { sources } = (await read('sources')) as { sources: { source_type: string }[] }
    expect(sources.find((source) => source.source_type === 'log_upload')).toMatchObject({
      data_through: before.upload,
      evidence_from: null,
      completeness: null,
      http_status_fidelity: null,
    })
  })

  test('new evidence makes its day younger; a repeated upload does not', async () => {
    await setRetention(service.crawlers, { site_id: site.id, days: 10 })
    await service.importText(site, crawled('2026-03-01', '2026-03-02'))
    service.clock.advance(6 * DAY_MS)
    expect(await service.importText(site, crawled('2026-03-01', '2026-03-02'))).toMatchObject({ stored: 0 })
    const more = history().on('2026-03-02').humans().crawler('oai-searchbot').requests(8, { path: '/p/2026-03-02' })
    expect(await service.importText(site, more)).toMatchObject({ stored: 3 })
    service.clock.advance(5 * DAY_MS)
    expect(await rounds()).toBe(1)
    expect(await read('performance', '?window=30d')).toMatchObject({
      observed_request_count: 8,
      daily: [{ date: '2026-03-02' }],
    })
  })

  test('between the two halves no answer claims the days, and facts outlive every reader', async () => {
    await service.importText(site, crawled('2026-03-01', '2026-03-09'))
    await service.rebuild()
    await setRetention(service.crawlers, { site_id: site.id, days: 1 })
    service.clock.advance(1.5 * DAY_MS)
    await service.importText(site, crawled('2026-03-10'))
    expect(await enforceRetention(service.crawlers)).toBe(2)
    expect(await stored()).toMatchObject({ requests: 15 })
    expect(await read('performance')).toMatchObject({ observed_request_count: 5, daily: [{ date: '2026-03-10' }] })
    // Not rebuilt meanwhile: only the new day is.
    expect(await service.rebuild()).toBe(1)
    service.clock.advance(9 * MINUTE_MS)
    await enforceRetention(service.crawlers)
    expect(await stored()).toMatchObject({ requests: 15 })
  })

  test('lines imported again after they expired are new, also while their deletion is still to come', async () => {
    const log = crawled('2026-03-01', '2026-03-02')
    await service.importText(site, log)
    await service.rebuild()
    await setRetention(service.crawlers, { site_id: site.id, days: 1 })
    service.clock.advance(2 * DAY_MS)
    for (const expired of await findExpiredDays(service.crawlers)) await expireDays(service.crawlers, expired)
    expect(await service.importText(site, log)).toMatchObject({ stored: 10, duplicates: 0 })
    expect(await read('performance')).toMatchObject({ observed_request_count: 10 })
    expect(await rounds()).toBe(0)
    expect(await stored()).toEqual({
      requests: 10,
      pages: 2,
      crawler_daily: 10,
      page_monthly: 0,
      page_outcomes_daily: 10,
    })
    expect(await read('performance')).toMatchObject({ observed_request_count: 10 })
  })

  test('a crash between the halves, or before the deletion is noted, is repaired by the next round', async () => {
    await service.importText(site, crawled('2026-03-01', '2026-03-09'))
    await service.rebuild()
    await setRetention(service.crawlers, { site_id: site.id, days: 1 })
    service.clock.advance(2 * DAY_MS)
    await enforceRetention(service.crawlers)
    service.clock.advance(11 * MINUTE_MS)
    const { control, evidence } = service.crawlers
    const broken = {
      ...service.crawlers,
      control: { ...control, transaction: () => Promise.reject(new Error('killed')) },
    }
    await expect(enforceRetention(broken)).rejects.toThrow('killed')
    expect(await evidence.all(rows(Stored)`SELECT count() AS n FROM spoor.requests`)).toEqual([{ n: 0 }])
    await rounds()
    expect(await stored()).toEqual({ requests: 0, pages: 0, crawler_daily: 0, page_monthly: 0, page_outcomes_daily: 0 })
    expect(await control.db.selectFrom('dirty_days').selectAll().where('kind', '=', 'crawlers').execute()).toEqual([])
    expect(await control.db.selectFrom('expired_days').selectAll().execute()).toEqual([])
  })

  test('facts of a live source without coverage age like all others', async () => {
    await setRetention(service.crawlers, { site_id: site.id, days: 10 })
    const intake = await addLiveSource(service, site, 'https_intake')
    await intake.saw('2026-03-01', 'example.com', 3)
    await intake.saw('2026-03-09', 'example.com', 2)
    await intake.covered('2026-03-08T00:00:00Z', '2026-03-10T00:00:00Z')
    service.clock.advance(2 * DAY_MS)
    expect(await rounds()).toBe(1)
    expect(await stored()).toMatchObject({ requests: 2, crawler_daily: 2 })
    expect(await rounds()).toBe(0)
  })

  test('does not change the remaining days, even if a sender that missed some of them covered only expired days', async () => {
    const intake = await addLiveSource(service, site, 'https_intake')
    await intake.covered('2026-02-20T00:00:00Z', '2026-03-10T11:30:00Z', { sender: 'web1' })
    await intake.covered('2026-02-20T00:00:00Z', '2026-02-28T00:00:00Z', { sender: 'silent' })
    await intake.covered('2026-02-20T00:00:00Z', '2026-02-22T00:00:00Z', { sender: 'back' })
    await intake.covered('2026-03-03T00:00:00Z', '2026-03-10T11:30:00Z', { sender: 'back' })
    const { control } = service.crawlers
    const late = Date.parse('2026-02-28T00:00:00Z')
    await control.db.updateTable('senders').set({ last_received_at: late }).where('name', '=', 'silent').execute()
    const kept = async () => {
      const counted = await readSiteCoverage(control, site.id, { from: '2026-03-01', to: '2026-03-10' })
      return [...judgePrimaries(counted, { from: '2026-03-01', to: '2026-03-10' }, service.clock.now()).days.states]
    }
    const before = await kept()
    expect(before.map(([, state]) => state)).toEqual([...Array(6).fill('partial'), ...Array(4).fill('complete')])
    await setRetention(service.crawlers, { site_id: site.id, days: 9 })
    expect(await rounds()).toBe(9)
    expect(await kept()).toEqual(before)
    // A week after its last coverage it is no longer expected.
    expect(await control.db.selectFrom('forgotten_watches').select('sender').orderBy('sender').execute()).toEqual([
      { sender: 'back' },
      { sender: 'silent' },
      { sender: 'web1' },
    ])
    service.clock.advance(7 * DAY_MS)
    await rounds()
    expect(await control.db.selectFrom('forgotten_watches').select('sender').orderBy('sender').execute()).toEqual([
      { sender: 'back' },
      { sender: 'web1' },
    ])
  })

  test('does not forget a sender that delivered late before a week has passed', async () => {
    const intake = await addLiveSource(service, site, 'https_intake')
    await intake.covered('2026-02-20T00:00:00Z', '2026-03-10T11:30:00Z', { sender: 'web1' })
    await intake.covered('2026-02-20T00:00:00Z', '2026-02-21T00:00:00Z', { sender: 'late' })
    const { control } = service.crawlers
    const late = Date.parse('2026-02-26T00:00:00Z')
    await control.db.updateTable('senders').set({ last_received_at: late }).where('name', '=', 'late').execute()
    const kept = async () => {
      const counted = await readSiteCoverage(control, site.id, { from: '2026-03-01', to: '2026-03-10' })
      return [...judgePrimaries(counted, { from: '2026-03-01', to: '2026-03-10' }, service.clock.now()).days.states]
    }
    const before = await kept()
    expect(before.map(([, state]) => state)).toEqual([...Array(4).fill('partial'), ...Array(6).fill('complete')])
    await setRetention(service.crawlers, { site_id: site.id, days: 9 })
    await rounds()
    expect(await kept()).toEqual(before)
  })

  test('facts of an import that broke off before it recorded coverage are deleted too', async () => {
    await service.importText(site, crawled('2026-03-09'))
    const { control } = service.crawlers
    let transactions = 0
    const breaking = {
      ...service.crawlers,
      control: {
        ...control,
        transaction: <T>(work: Parameters<typeof control.transaction<T>>[0]) =>
          ++transactions === 2 ? Promise.reject(new Error('killed')) : control.transaction(work),
      },
    }
    const lines = Readable.from([Buffer.from(crawled('2026-03-01').text())])
    await expect(importLog(breaking, { site, host: null, label: 'a.log' }, lines)).rejects.toThrow('killed')
    expect(await stored()).toMatchObject({ requests: 10 })
    service.clock.advance(390 * DAY_MS)
    expect(await rounds()).toBe(0)
    service.clock.advance(11 * DAY_MS)
    expect(await rounds()).toBe(2)
    expect(await stored()).toEqual({ requests: 0, pages: 0, crawler_daily: 0, page_monthly: 0, page_outcomes_daily: 0 })
    expect(await rounds()).toBe(0)
  })

  test('under --clock nothing is deleted by its age', async () => {
    await service.importText(site, crawled('2026-03-01'))
    await setRetention(service.crawlers, { site_id: site.id, days: 1 })
    service.clock.advance(400 * DAY_MS)
    const round = async (is_clock_simulated: boolean) => {
      const { crawlers, installation } = service
      const log = pino({ level: 'silent' })
      const ctx = { ...crawlers, collection: { readableThrough: () => crawlers.clock.now() } }
      const ended: string[] = []
      const { control, clock, key_uses } = installation
      const onJob = ({ job }: JobEnded) => ended.push(job)
      const jobs = folderJobs({ ...ctx, key_uses })
      const schedule = startSchedule({ control, clock, log, onJob, is_clock_simulated }, jobs)
      await vi.waitUntil(() => ended.length === schedule.jobs.length, { timeout: 30_000 })
      await schedule.stop()
    }
    await round(true)
    expect(await findExpiredDays(service.crawlers)).toHaveLength(1)
    await round(false)
    expect(await findExpiredDays(service.crawlers)).toEqual([])
  })

  test('the retention of a site deletes nothing of other sites', async () => {
    const other = await service.addSite('example.org')
    await service.importText(site, crawled('2026-03-01'))
    const theirs = history().on('2026-03-01').humans({ host: 'example.org' }).crawler('gptbot')
    await service.importText(other, theirs.requests(4, { host: 'example.org' }))
    await setRetention(service.crawlers, { site_id: site.id, days: 1 })
    service.clock.advance(2 * DAY_MS)
    expect(await rounds()).toBe(1)
    expect(await stored()).toMatchObject({ requests: 4, pages: 1 })
  })
})
