import { beforeEach, describe, expect, test } from 'vitest'
import { noteAttempt, storeListVersion } from '#crawlers/identity/lists/store-list-version.ts'
import { history } from '#demo/history.ts'
import { markDays } from '#derived/dirty-days.ts'
import { checkHealth, type ServiceState } from '#health/check-health.ts'
import { markSilentSources } from '#intake/batches/silent-sources.ts'
import { newGroup } from '#intake/facts/dirty-days.ts'
import { whileClockTrusted } from '#retention/trusted-clock.ts'
import { serviceOfFile } from '../support/fresh.ts'
import { openTestIntake, visit } from '../support/intake.ts'
import type { TestService } from '../support/service.ts'

const BEFORE = '2026-03-08T12:00:00Z'

let service: TestService
const shared = serviceOfFile()
beforeEach(async () => {
  service = await shared.fresh(BEFORE)
})

const checked = async () => (await service.installation.operator.checkHealth()).map(({ code }) => code)

async function importDay() {
  const site = await service.addSite('example.com')
  await service.importText(site, history().on('2026-03-07').humans().crawler('googlebot').requests(2))
  return site
}

describe('the doctor looks at', () => {
  test('a new installation', async () => {
    expect(await checked()).toEqual(
      expect.arrayContaining([
        'server',
        'stores',
        'thread_pool',
        'registry',
        'sites_missing',
        'deliveries',
        'dirty_days',
      ]),
    )
  })

  test('sources: healthy, silent, broken, without a primary', async () => {
    await importDay()
    expect(await checked()).toContain('sources')
    service.clock.advance(3 * 86_400_000)
    expect(await checked()).toContain('source_silent')
    const { db } = service.installation.control
    await db.updateTable('sources').set({ connection_status: 'error', is_primary: 0 }).execute()
    expect(await checked()).toEqual(expect.arrayContaining(['source_broken', 'source_not_primary']))
  })

  test('a source that receives logs over HTTPS and got nothing for a day: no import is to be repeated', async () => {
    const intake = await openTestIntake(service)
    await intake.send([visit({ timestamp: BEFORE })])
    await markSilentSources(service.crawlers)
    expect(await checked()).toContain('sources')
    service.clock.advance(25 * 3_600_000)
    await markSilentSources(service.crawlers)
    const found = await service.installation.operator.checkHealth()
    const messages = Object.fromEntries(found.map(({ code, message }) => [code, message]))
    expect(messages).toMatchObject({ intake_silent: 'example.com (web1).' })
    expect(messages).not.toHaveProperty('source_broken')
  })

  test('a delivery that broke off, until its source delivers again', async () => {
    const site = await importDay()
    const { db } = service.installation.control
    await db.updateTable('deliveries').set({ state: 'broken', finished_at: null }).execute()
    expect(await checked()).toContain('delivery_broken')
    service.clock.advance(60_000)
    await service.importText(site, history().on('2026-03-07').humans())
    expect(await checked()).toContain('deliveries')
  })

  test('dirty days: fresh ones are about to be rebuilt, old ones wait', async () => {
    await importDay()
    expect(await checked()).toContain('dirty_days')
    service.clock.advance(16 * 60_000)
    expect(await checked()).toContain('dirty_days_waiting')
    await service.rebuild()
    expect(await checked()).toContain('dirty_days')
  })

  test.each(['a live source', 'a restore'])(
    'a day that %s has marked waits once 15 minutes have passed',
    async (who) => {
      const site = await service.addSite('example.com')
      const { control } = service.installation
      const mark = {
        kind: 'crawlers',
        cause: who === 'a restore' ? 'restore' : newGroup(null),
        state: 'written',
      } as const
      await control.transaction((tx) =>
        markDays(tx, { ...mark, now: service.clock.now() }, [{ site_id: site.id, day: '2026-03-07' }]),
      )
      expect(await checked()).toContain('dirty_days')
      service.clock.advance(16 * 60_000)
      expect(await checked()).toContain('dirty_days_waiting')
    },
  )

  test('dirty days are rebuilt by a service, which may have to be started', async () => {
    await importDay()
    const { installation, crawlers, folder, clock } = service
    const { control } = installation
    const running = { metrics: 'off', has_watchdog: true, leased_jobs: [] } as const
    for (const [state, message] of [
      [null, '1 day will be rebuilt when the service starts.'],
      [running, '1 day is about to be rebuilt.'],
    ] as const) {
      const stores = { folder, clock, control, evidence: async () => crawlers.evidence }
      const found = await checkHealth({
        ...stores,
        service: state,
        public_url: null,
        secrets: service.installation.secrets,
      })
      expect(found).toContainEqual(expect.objectContaining({ code: 'dirty_days', message }))
    }
  })

  test('clocks: one that is not the machine’s, and evidence after it', async () => {
    await importDay()
    expect(await checked()).toContain('clock_moved')
    expect(await checked()).not.toContain('clock_behind')
    service.clock.set('2026-03-01T00:00:00Z')
    expect(await checked()).toContain('clock_behind')
  })

  test('a clock that jumped, for two days', async () => {
    const { control } = service.installation
    const retain = () => whileClockTrusted({ control, clock: service.clock }, async () => 1)
    await retain()
    expect(await checked()).not.toContain('clock_jumped')
    service.clock.leap('2028-03-08T12:00:00Z')
    await retain()
    const found = (await service.installation.operator.checkHealth()).find(({ code }) => code === 'clock_jumped')
    expect(found?.message).toMatch(/from 2026-03-08T12:00.* to 2028-03-08T12:00.*before 2028-03-10T12:00:00.000Z\.$/)
    service.clock.leap('2026-03-08T13:00:00Z')
    expect(await checked()).not.toContain('clock_jumped')
  })

  test('the registry: in force, old, behind, missing', async () => {
    expect(await checked()).toContain('registry')
    service.clock.set('2040-01-01T00:00:00Z')
    expect(await checked()).toContain('registry_old')
    const { db } = service.installation.control
    const [shipped] = await db.selectFrom('registry_versions').selectAll().execute()
    if (shipped === undefined) throw new Error('no registry was loaded')
    await db
      .insertInto('registry_versions')
      .values({ ...shipped, version: '2039-12-31.10' })
      .execute()
    expect(await checked()).toContain('registry_behind')
    await db.deleteFrom('settings').where('name', '=', 'registry_version').execute()
    expect(await checked()).toContain('registry_missing')
  })

  test('published lists: none loaded, fresh, failing, stale', async () => {
    expect(await checked()).toContain('lists_missing')
    const list = { prefixes: ['20.1.2.0/24'], sha256: 'a'.repeat(64), published_at: null, is_whole_as: false }
    const keep = () => storeListVersion(service.installation, 'https://openai.com/gptbot.json', list)
    await keep()
    expect(await checked()).toContain('lists')
    const { control } = service.installation
    await noteAttempt(control.db, 'https://openai.com/gptbot.json', service.clock.now(), 'no route')
    expect(await checked()).toContain('lists_failing')
    await keep()
    expect(await checked()).not.toContain('lists_failing')
    service.clock.set('2026-03-15T23:59:59Z')
    expect(await checked()).toContain('lists')
    service.clock.set('2026-03-16T00:00:00Z')
    expect(await checked()).toContain('lists_stale')
  })

  test('a store that does not answer', async () => {
    const { control } = service.installation
    const evidence = { ...service.crawlers.evidence, state: async () => Promise.reject(new Error('gone')) }
    const found = await checkHealth({
      folder: service.folder,
      clock: service.clock,
      control,
      evidence: async () => evidence,
      service: null,
      public_url: null,
      secrets: service.installation.secrets,
    })
    expect(found).toContainEqual(
      expect.objectContaining({ code: 'evidence_store_failed', level: 'fail', message: expect.stringMatching(/gone/) }),
    )
  })

  test.each<[ServiceState, string[]]>([
    [{ metrics: 'off', has_watchdog: true, leased_jobs: [] }, ['jobs', 'metrics', 'watchdog']],
    [
      { metrics: null, metrics_address: '127.0.0.1:9464', has_watchdog: false, leased_jobs: [] },
      ['jobs', 'metrics_not_listening', 'watchdog_off'],
    ],
  ])('a running service: %o', async (state, codes) => {
    const { installation, crawlers, folder, clock } = service
    const evidence = async () => crawlers.evidence
    const found = await checkHealth({
      folder,
      clock,
      control: installation.control,
      evidence,
      service: state,
      public_url: null,
      secrets: service.installation.secrets,
    })
    expect(found.map(({ code }) => code)).toEqual(expect.arrayContaining(codes))
  })
})
