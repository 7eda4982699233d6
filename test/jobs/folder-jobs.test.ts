import pino from 'pino'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { MINUTE_MS } from '#clock.ts'
import { history } from '#demo/history.ts'
import type { DayDerived } from '#derived/derived-day-signal.ts'
import { render } from '#evidence/fragment.ts'
import { overrideStore } from '#evidence/override-store.ts'
import type { EvidenceStore } from '#evidence/store.ts'
import { folderJobs } from '#jobs/folder-jobs.ts'
import type { JobEnded } from '#jobs/job.ts'
import { startSchedule } from '#jobs/schedule.ts'
import { removeSite } from '#sites/sites.ts'
import { serviceOfFile } from '../support/fresh.ts'
import { GPTBOT, openTestIntake } from '../support/intake.ts'
import type { TestService } from '../support/service.ts'

let service: TestService
const shared = serviceOfFile()
beforeEach(async () => {
  service = await shared.fresh('2026-03-10T12:00:00Z')
})

/** The real store, in which roll-ups of February cannot be written while it is `broken`. */
function failingInFebruary() {
  const { evidence } = service.crawlers
  const changed = overrideStore(evidence, {
    async run(command, limits) {
      const { text, parameters } = render(command)
      const february = /INSERT INTO spoor\.crawler_daily/.test(text) && JSON.stringify(parameters).includes('2026-02-')
      if (february && store.broken) throw new Error('the disk went away')
      return evidence.run(command, limits)
    },
  })
  const store: EvidenceStore & { broken: boolean } = Object.assign(changed, { broken: true })
  return store
}

const ROUND_MS = 60_000

test('after a month that cannot be rebuilt the other months and jobs run, and the next round rebuilds it', async () => {
  const { operator, control, key_uses } = service.installation
  const site = await service.addSite('example.com')
  await service.createKey()
  const log = history()
  for (const day of ['2026-01-30', '2026-02-03', '2026-02-04', '2026-03-09']) {
    log.on(day).humans().crawler('oai-searchbot').requests(5)
  }
  await service.importText(site, log)
  const read = async () => {
    const { json } = await service.ask('/v1/sites/example.com/performance?window=90d')
    return { ...json, meta: null }
  }
  const dirty = async () => {
    const days = control.db.selectFrom('dirty_days').select('day').where('kind', '=', 'crawlers').orderBy('day')
    const rows = await days.execute()
    return rows.map((row) => row.day)
  }
  const before = await read()
  const removed = await service.addSite('example.org')
  await removeSite(operator, { account_id: operator.account_id, site_id: removed.id })

  const evidence = failingInFebruary()
  const ended: JobEnded[] = []
  const failed = () => ended.filter((job) => job.failed).map((job) => job.job)
  const collection = { readableThrough: () => service.clock.now() }
  const { clock } = service
  const onJob = (job: JobEnded) => ended.push(job)
  const schedule = startSchedule(
    { control, clock, log: pino({ level: 'silent' }), onJob, is_clock_simulated: false },
    folderJobs({ ...service.crawlers, evidence, collection, key_uses }),
  )
  await vi.waitUntil(() => ended.length === schedule.jobs.length, { timeout: ROUND_MS })
  expect(failed()).toEqual(['rebuild'])
  for (const job of ['clear_imports', 'erase_sites', 'note_key_uses', 'clear_builds']) {
    expect(ended).toContainEqual(expect.objectContaining({ job, failed: false }))
  }
  expect(await dirty()).toEqual(['2026-02-03', '2026-02-04'])
  expect(await control.db.selectFrom('removed_sites').select('evidence_deleted_at').execute()).toEqual([
    { evidence_deleted_at: expect.any(Number) },
  ])
  expect(await read()).toEqual(before)

  evidence.broken = false
  ended.length = 0
  await schedule.nudge('rebuild')
  await vi.waitUntil(() => ended.length > 0, { timeout: ROUND_MS })
  await schedule.stop()
  expect(ended).toEqual([{ job: 'rebuild', seconds: 0, failed: false, days: 2 }])
  expect(await dirty()).toEqual([])
  expect(await read()).toEqual(before)
})

test('evidence of 12:00 is signalled by 12:02, by the jobs of a service whose clock runs', async () => {
  const { control, key_uses } = service.installation
  const { clock, crawlers } = service
  const intake = await openTestIntake(service)
  const signals: (DayDerived & { at: number })[] = []
  crawlers.derived.listen((derived) => signals.push({ ...derived, at: clock.now() }))
  const collection = { readableThrough: () => clock.now() }
  const noon = clock.now()
  const send = () =>
    intake.send([{ timestamp: new Date(clock.now()).toISOString(), path: '/a', status: 503, user_agent: GPTBOT }])
  await send()
  const schedule = startSchedule(
    { control, clock, log: pino({ level: 'silent' }), is_clock_simulated: false, look_every_ms: 20 },
    folderJobs({ ...crawlers, collection, key_uses }),
  )
  onTestFinished(() => schedule.stop())
  await vi.waitUntil(() => signals.length > 0, { timeout: ROUND_MS })
  clock.advance(1_000)
  await send()
  for (let second = 10; second <= 120; second += 10) {
    clock.set(noon + second * 1_000)
    const row = () => control.db.selectFrom('jobs').selectAll().where('name', '=', 'rebuild').executeTakeFirstOrThrow()
    // Whatever is due at this second is done before the clock goes on.
    await vi.waitUntil(
      async () => {
        const { next_at, lease_until } = await row()
        return next_at > clock.now() && lease_until === null
      },
      { timeout: ROUND_MS },
    )
  }
  await schedule.stop()
  expect(signals.length).toBeGreaterThanOrEqual(2)
  expect(signals.at(-1)).toMatchObject({ site_id: intake.site.id, day: '2026-03-10', cause: 'evidence' })
  expect((signals.at(-1)?.at as number) - noon).toBeLessThanOrEqual(2 * MINUTE_MS)
  expect(signals.filter(({ at }) => at - noon < MINUTE_MS)).toHaveLength(1)
})

test('a start takes over the work of a killed process at once', async () => {
  const { control, key_uses } = service.installation
  const { clock, crawlers } = service
  const now = clock.now()
  await control.db
    .insertInto('jobs')
    .values({
      name: 'rebuild',
      every_ms: MINUTE_MS,
      limit_ms: MINUTE_MS,
      next_at: now + MINUTE_MS,
      lease_owner: 'killed',
      lease_until: now + MINUTE_MS,
      last_started_at: now,
    })
    .execute()
  const ended: string[] = []
  const schedule = startSchedule(
    {
      control,
      clock,
      log: pino({ level: 'silent' }),
      is_clock_simulated: false,
      onJob: ({ job }) => ended.push(job),
    },
    folderJobs({ ...crawlers, collection: { readableThrough: () => now }, key_uses }),
  )
  await vi.waitUntil(() => ended.includes('rebuild'), { timeout: ROUND_MS })
  await schedule.stop()
})
