/** The disk fills up in the middle of an import, a roll-up or a deletion: nothing is lost, nothing stored by halves. */
import { setTimeout as pause } from 'node:timers/promises'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { collectKeyUses } from '#accounts/key-uses.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import { IntakeMemory } from '#crawlers/intake-memory.ts'
import { rebuildDirtyDays } from '#crawlers/roll-ups/rebuild-roll-ups.ts'
import { history } from '#demo/history.ts'
import { overrideStore } from '#evidence/override-store.ts'
import { sql } from '#evidence/sql.ts'
import type { EvidenceStore } from '#evidence/store.ts'
import { importLog } from '#intake/import/import-log.ts'
import { clearAfterImports } from '#intake/import/recover-broken-deliveries.ts'
import { folderJobs, REBUILD } from '#jobs/folder-jobs.ts'
import { startSchedule } from '#jobs/schedule.ts'
import type { Site } from '#sites/site.ts'
import { memoryDisk, no_mounts, type SmallDisk } from '../../support/disk.ts'
import { openTestService, type TestService } from '../../support/service.ts'

const READS = ['performance', 'crawlers', 'top-pages'].map((name) => `/v1/sites/example.com/${name}?window=90d`)
const FULL = expect.objectContaining({
  message: expect.stringMatching(/^The disk of the data folder is .*[Ff]ree some space/),
})

describe.skipIf(no_mounts !== null)(
  `the disk fills up${no_mounts === null ? '' : ` (cannot be tested: ${no_mounts})`}`,
  () => {
    let disk: SmallDisk
    let service: TestService
    let site: Site
    const temporary = process.env.TMPDIR
    // One service for all cases: each has a day of its own.
    beforeAll(async () => {
      disk = memoryDisk(64)
      process.env.TMPDIR = disk.folder
      service = await openTestService('2026-03-10T12:00:00Z')
      site = await service.addSite('example.com')
      await service.createKey()
      await service.importText(site, day('2026-03-01'))
      await service.rebuild()
    })
    let days = 1
    const nextDay = () => `2026-02-${String(days++).padStart(2, '0')}`
    afterAll(async () => {
      disk.empty()
      await service.close()
      if (temporary === undefined) delete process.env.TMPDIR
      else process.env.TMPDIR = temporary
      disk.remove()
    })

    const day = (date: string) =>
      history()
        .on(date)
        .humans()
        .crawler('oai-searchbot')
        .requests(20, { path: `/p/${date}` })
    const answers = () => Promise.all(READS.map(async (url) => (await service.ask(url)).json))
    const importing = (ctx: CrawlerContext, date: string) =>
      importLog(
        ctx,
        { site, host: null, label: 'a.log' },
        (async function* () {
          yield Buffer.from(day(date).text())
        })(),
      )

    /** The service's context, whose disk fills up just before or just after its n-th write of evidence. */
    function failingAt(nth: number, when: 'before' | 'after'): CrawlerContext {
      let writes = 0
      const real = service.crawlers.evidence
      const writing = async (work: () => Promise<void>) => {
        const is_it = ++writes === nth
        if (is_it && when === 'before') disk.fill()
        await work()
        if (is_it && when === 'after') disk.fill()
      }
      const evidence: EvidenceStore = overrideStore(real, {
        run: (command, limits) => writing(() => real.run(command, limits)),
        insert: (table, rows, count) => writing(() => real.insert(table, rows, count)),
      })
      // What it remembers to have stored is none of the real service's.
      return { ...service.crawlers, evidence, intake: new IntakeMemory() }
    }

    // Writes of an import: staged rows, agents, their labels, pages, facts; then the control store records the
    // coverage.
    test.each([
      [1, 'before', 'staging'],
      [2, 'before', 'agents'],
      [4, 'before', 'pages'],
      [5, 'before', 'facts'],
      [5, 'after', 'coverage'],
    ] as const)(
      'at write %i of an import, %s it (%s): it is refused, claims nothing, and repeated it is whole',
      async (nth, when, _phase) => {
        const before = await answers()
        const ctx = failingAt(nth, when)
        const date = nextDay()
        await expect(importing(ctx, date)).rejects.toEqual(FULL)
        const while_full = await answers()
        expect(while_full.map((answer) => answer.meta)).toEqual(before.map((answer) => answer.meta))
        disk.empty()
        await clearAfterImports(ctx)
        const { control, evidence } = service.crawlers
        expect(
          await control.db.selectFrom('deliveries').select('state').where('state', '=', 'writing').execute(),
        ).toEqual([])
        expect(
          await control.db.selectFrom('dirty_days').select('state').where('state', '=', 'writing').execute(),
        ).toEqual([])
        await service.importText(site, day(date))
        await service.rebuild()
        const [performance] = await answers()
        expect(performance).toMatchObject({ observed_request_count: Number(before[0]?.observed_request_count) + 20 })
        await expect(evidence.ping()).resolves.toBeUndefined()
      },
    )

    test.each([
      [1, 'before'],
      [2, 'before'],
      [2, 'after'],
    ] as const)(
      'at write %i of a roll-up, %s it: answers do not change, and the next round derives it',
      async (nth, when) => {
        await service.importText(site, day(nextDay()))
        const before = await answers()
        await expect(rebuildDirtyDays(failingAt(nth, when))).rejects.toMatchObject({ errors: [FULL] })
        expect(await answers()).toEqual(before)
        disk.empty()
        expect(await service.rebuild()).toBe(1)
        expect(await answers()).toEqual(before)
      },
    )

    test('a running service derives roll-ups by itself once there is space', async () => {
      await service.importText(site, day(nextDay()))
      disk.fill()
      const { crawlers } = service
      const { control, clock } = crawlers
      const collection = { readableThrough: () => clock.now() }
      const log = pino({ level: 'silent' })
      const schedule = startSchedule(
        { control, clock, log, is_clock_simulated: false, look_every_ms: 50 },
        folderJobs({ ...crawlers, collection, key_uses: collectKeyUses({ control }) }),
      )
      await pause(300)
      const dirty = () =>
        crawlers.control.db.selectFrom('dirty_days').select('day').where('kind', '=', 'crawlers').execute()
      expect(await dirty()).toHaveLength(1)
      disk.empty()
      await schedule.nudge(REBUILD)
      while ((await dirty()).length > 0) await pause(50)
      await schedule.stop()
    })

    test('a full disk does not delay a deletion: it is refused at once, and nothing waits for it', async () => {
      disk.fill()
      await expect(service.crawlers.evidence.run(sql`DELETE FROM spoor.requests WHERE status = 999`)).rejects.toEqual(
        FULL,
      )
      disk.empty()
      await service.crawlers.evidence.run(sql`DELETE FROM spoor.requests WHERE status = 999`)
    })

    test('it does not delay the rewriting for deletions either', async () => {
      const { evidence } = service.crawlers
      await evidence.run(sql`DELETE FROM spoor.requests WHERE path = '/p/2026-03-01'`)
      const rewriting = sql`ALTER TABLE spoor.requests APPLY DELETED MASK`
      disk.fill()
      await expect(evidence.run(rewriting, { max_seconds: 5 })).rejects.toEqual(FULL)
      disk.empty()
      await evidence.run(rewriting)
    })
  },
)
