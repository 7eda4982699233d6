/** The one mechanism of builds, with roll-ups of crawlers: what is derived when, and who hears of it. */
import { Readable } from 'node:stream'
import Type from 'typebox'
import { beforeEach, describe, expect, test } from 'vitest'
import { DAY_MS, MINUTE_MS } from '#clock.ts'
import { PURPOSES } from '#contract/vocabulary.ts'
import { readPerformance } from '#crawlers/performance.ts'
import { crawlerRollUps, rebuildDirtyDays } from '#crawlers/roll-ups/rebuild-roll-ups.ts'
import { history } from '#demo/history.ts'
import { deleteRetired } from '#derived/delete-retired-builds.ts'
import type { DayDerived } from '#derived/derived-day-signal.ts'
import { DerivedDays } from '#derived/derived-days.ts'
import { markDays, releaseDays } from '#derived/dirty-days.ts'
import { EvidenceError } from '#evidence/errors.ts'
import { render } from '#evidence/fragment.ts'
import { overrideStore } from '#evidence/override-store.ts'
import { count, rows, type Statement } from '#evidence/sql.ts'
import type { StatementLimits } from '#evidence/store.ts'
import { importLog } from '#intake/import/import-log.ts'
import { expireDays } from '#retention/mark-expired-days.ts'
import { serviceOfFile } from '../support/fresh.ts'
import { GPTBOT, openTestIntake, type TestIntake } from '../support/intake.ts'
import type { TestService } from '../support/service.ts'

const NOON = '2026-03-10T12:00:00.000Z'
const TODAY = '2026-03-10'

let service: TestService
let intake: TestIntake
let signals: (DayDerived & { at: string })[]
const shared = serviceOfFile()
beforeEach(async () => {
  service = await shared.fresh(NOON)
  intake = await openTestIntake(service)
  signals = []
  return service.crawlers.derived.listen((derived) => {
    signals.push({ ...derived, at: new Date(service.clock.now()).toISOString().slice(11, 16) })
  })
})

const deliver = (at = service.clock.now()) =>
  intake.send([
    {
      timestamp: new Date(at).toISOString(),
      host: 'example.com',
      path: '/a',
      status: 200,
      method: 'GET',
      user_agent: GPTBOT,
    },
  ])
/** What a running service does each minute. */
const round = () => rebuildDirtyDays(service.crawlers, () => false, { open_day: 'each_minute' })
const openSignals = () => signals.filter(({ day }) => day === TODAY).map(({ at }) => at)
const builds = () =>
  service.installation.control.db.selectFrom('builds').select(['day', 'build']).orderBy('day').execute()

describe('the open day', () => {
  test('is derived slowly each minute, beside answers, and at full speed where a command waits for it', async () => {
    const speeds: (number | undefined)[] = []
    const evidence = overrideStore(service.crawlers.evidence, {
      run(command, limits) {
        if (render(command).text.includes('INSERT INTO spoor.page_outcomes_daily'))
          speeds.push(limits?.max_rows_a_second)
        return service.crawlers.evidence.run(command, limits)
      },
    })
    await deliver()
    await deliver(Date.parse('2026-03-09T12:00:00Z'))
    await rebuildDirtyDays({ ...service.crawlers, evidence }, () => false, { open_day: 'each_minute' })
    expect(speeds).toEqual([400_000, undefined])
    // Another request than before.
    service.clock.advance(1_000)
    await deliver()
    await rebuildDirtyDays({ ...service.crawlers, evidence })
    expect(speeds.slice(2)).toEqual([undefined])
  })

  test('of 120 million facts is derived within a minute or so, not within the ten that a statement may take', async () => {
    const speeds = new Set<number | undefined>()
    const evidence = overrideStore(service.crawlers.evidence, {
      async all<T>(statement: Statement<T>, limits?: StatementLimits) {
        const found = await service.crawlers.evidence.all(statement, limits)
        if (!render(statement.fragment).text.includes('AS is_in_one_part')) return found
        return found.map((day) => ({ ...day, facts: 120_000_000 }))
      },
      async run(command, limits) {
        speeds.add(limits?.max_rows_a_second)
        await service.crawlers.evidence.run(command, limits)
      },
    })
    await deliver()
    await rebuildDirtyDays({ ...service.crawlers, evidence }, () => false, { open_day: 'each_minute' })
    // Each fact is read twice.
    expect([...speeds]).toEqual([(2 * 120_000_000) / 60])
  })

  test('evidence of 12:00 is signalled by 12:02, also while an import is read and while another is written', async () => {
    let endOfFile = () => {}
    const rest = new Promise<void>((resolve) => {
      endOfFile = resolve
    })
    const log = history().on(TODAY).humans().crawler('oai-searchbot').requests(3)
    async function* slowly() {
      yield Buffer.from(log.text(), 'latin1')
      await rest
    }
    const request = { site: intake.site, host: null, label: 'slow.log' }
    const importing = importLog(service.crawlers, request, Readable.from(slowly()))
    // An import that is being written marks its days until it has ended.
    const written = { kind: 'crawlers', cause: 'import', state: 'writing', now: service.clock.now() } as const
    const { site } = intake
    const days = [TODAY, '2026-03-09'].map((day) => ({ site_id: site.id, day }))
    await service.installation.control.transaction((tx) => markDays(tx, written, days))

    await round()
    expect(openSignals()).toEqual(['12:00'])
    await deliver()
    for (let minute = 1; minute <= 2; minute++) {
      service.clock.advance(MINUTE_MS)
      await round()
    }
    expect(openSignals()).toEqual(['12:00', '12:01', '12:02'])
    expect(signals.filter(({ day }) => day !== TODAY)).toEqual([])
    expect(signals.at(-1)).toMatchObject({ site_id: site.id, kind: 'crawlers', cause: 'evidence' })

    endOfFile()
    await importing
    await service.installation.control.transaction((tx) => releaseDays(tx, 'import'))
    service.clock.advance(MINUTE_MS)
    await round()
    expect(openSignals().at(-1)).toBe('12:03')
    expect(signals.map(({ day }) => day)).toContain('2026-03-09')
  })

  test('is derived at most once a minute while evidence arrives, and not at all when none does', async () => {
    for (let second = 0; second < 150; second += 10) {
      await deliver()
      await round()
      service.clock.advance(10_000)
    }
    expect(openSignals()).toEqual(['12:00', '12:01', '12:02'])
    service.clock.advance(MINUTE_MS)
    await round()
    service.clock.advance(MINUTE_MS)
    await round()
    expect(openSignals()).toEqual(['12:00', '12:01', '12:02', '12:03'])
  })

  test('is derived at most once a minute by all nodes together', async () => {
    const evidence = overrideStore(service.crawlers.evidence, { has_own_parts: false })
    const nodes = [1, 2].map(() => ({ ...service.crawlers, evidence, derived: new DerivedDays() }))
    const derivedAt: string[] = []
    for (const { derived } of nodes)
      derived.listen(() => void derivedAt.push(new Date(service.clock.now()).toISOString().slice(11, 19)))
    for (let half = 0; half < 6; half++) {
      await deliver()
      const [node] = nodes.splice(0, 1) as [(typeof nodes)[number]]
      nodes.push(node)
      await rebuildDirtyDays(node, () => false, { open_day: 'each_minute' })
      service.clock.advance(MINUTE_MS / 2)
    }
    expect(derivedAt).toEqual(['12:00:00', '12:01:00', '12:02:00'])
  })

  test('that fails each time takes no more than its share of the time', async () => {
    let failed = 0
    const evidence = overrideStore(service.crawlers.evidence, {
      async run() {
        failed++
        service.clock.advance(2 * MINUTE_MS)
        throw new EvidenceError('timeout', 'The statement took too long.')
      },
    })
    await deliver()
    const begun = service.clock.now()
    while (service.clock.now() < begun + 15 * MINUTE_MS) {
      await rebuildDirtyDays({ ...service.crawlers, evidence }, () => false, { open_day: 'each_minute' }).catch(
        () => {},
      )
      service.clock.advance(MINUTE_MS)
    }
    expect(failed).toBe(2)
  })

  test('once it is over it is derived like any other day', async () => {
    await deliver()
    await round()
    service.clock.advance(1_000)
    await deliver()
    service.clock.advance(DAY_MS)
    expect(await round()).toBe(1)
    expect(await round()).toBe(0)
    expect((await builds()).map(({ day }) => day)).toEqual([TODAY])
  })
})

describe('marks', () => {
  test('one that is made again while its day is derived keeps the day dirty', async () => {
    const { crawlers } = service
    const yesterday = { site_id: intake.site.id, day: '2026-03-09' }
    await service.importText(intake.site, history().on(yesterday.day).humans().crawler('gptbot').requests(4))
    const mark = { kind: 'crawlers', cause: 'again', state: 'written', now: service.clock.now() } as const
    const { control, evidence } = crawlers
    await control.transaction((tx) => markDays(tx, mark, [yesterday]))
    const run: typeof evidence.run = async (command, limits) => {
      await control.transaction((tx) => markDays(tx, mark, [yesterday]))
      return evidence.run(command, limits)
    }
    expect(await rebuildDirtyDays({ ...crawlers, evidence: { ...evidenceOf(service), run } })).toBe(1)
    const dirty = control.db.selectFrom('dirty_days').select(['day', 'cause']).where('kind', '=', 'crawlers')
    const left = await dirty.execute()
    expect(left).toEqual([{ day: yesterday.day, cause: 'again' }])
    expect(await service.rebuild()).toBe(1)
    expect(await dirty.execute()).toEqual([])
  })

  test('say why a day was derived', async () => {
    const log = history().on('2026-03-08').humans().on('2026-03-09').humans().crawler('gptbot').requests(2)
    await service.importText(intake.site, log)
    await service.rebuild()
    const { db } = service.installation.control
    const source = await db
      .selectFrom('sources')
      .selectAll()
      .where('source_type', '=', 'log_upload')
      .executeTakeFirstOrThrow()
    await expireDays(service.crawlers, { source, days: ['2026-03-08'] })
    await service.installation.control.transaction((tx) => releaseDays(tx, 'retention'))
    await service.installation.control.transaction((tx) =>
      markDays(tx, { kind: 'crawlers', cause: 'restore', state: 'written', now: 1 }, [
        { site_id: intake.site.id, day: '2026-03-09' },
      ]),
    )
    signals.length = 0
    await service.rebuild()
    expect(signals.map(({ day, cause }) => [day, cause])).toEqual([
      ['2026-03-09', 'restore'],
      ['2026-03-08', 'retention'],
    ])
  })

  test('of an older layout leave the build in force until the day is derived again', async () => {
    await service.importText(intake.site, history().on('2026-03-09').humans().crawler('gptbot').requests(2))
    await service.rebuild()
    const before = await builds()
    const { db } = service.installation.control
    const outdated = { site_id: intake.site.id, day: '2026-03-09', kind: 'crawlers', cause: 'layout' } as const
    await db
      .insertInto('dirty_days')
      .values({ ...outdated, state: 'written', marked: 0 })
      .execute()
    signals.length = 0
    expect(await round()).toBe(1)
    expect(signals).toMatchObject([{ day: '2026-03-09', cause: 'layout' }])
    expect((await builds())[0]?.build).toBeGreaterThan(before[0]?.build as number)
    expect(await round()).toBe(0)
  })
})

describe('a build whose process paused for 11 minutes', () => {
  const stands = [
    ['before its rows were inserted', 'before'],
    ['after its rows were inserted', 'after'],
  ] as const
  test.each(stands)('%s does not count: its days stay dirty and are derived again', async (_when, when) => {
    const { crawlers } = service
    const read = async () =>
      (await readPerformance({ ...crawlers, site: intake.site }, { window: '7d', purpose: [...PURPOSES] }))
        .observed_request_count
    const log = history().on('2026-03-08').humans().crawler('gptbot').requests(4)
    await service.importText(intake.site, log)
    expect(await read()).toBe(4)
    let clearing = false
    const clear = async () => {
      if (clearing) return
      clearing = true
      service.clock.advance(11 * MINUTE_MS)
      const other = { ...crawlers, derived: new DerivedDays() }
      expect(await deleteRetired(other, [crawlerRollUps(other, 'left')])).toBeGreaterThan(0)
    }
    const run: typeof crawlers.evidence.run = async (command, limits) => {
      const is_insert = render(command).text.includes('INSERT INTO spoor.crawler_daily')
      if (is_insert && when === 'before') await clear()
      await crawlers.evidence.run(command, limits)
      if (is_insert && when === 'after') await clear()
    }
    signals.length = 0
    const building = rebuildDirtyDays({ ...crawlers, evidence: { ...evidenceOf(service), run } })
    await expect(building).rejects.toMatchObject({
      errors: [expect.objectContaining({ message: expect.stringContaining('was not renewed for 5 minutes') })],
    })
    expect([await builds(), signals]).toEqual([[], []])
    expect(await read()).toBe(4)
    expect(await service.rebuild()).toBe(1)
    expect(await read()).toBe(4)
    // What came after others had deleted is retired anew, and goes with the next clean-up.
    const rowsLeft = () => crawlers.evidence.all(buildsWithRows)
    service.clock.advance(11 * MINUTE_MS)
    await deleteRetired(crawlers, [crawlerRollUps(crawlers, 'left')])
    expect(await rowsLeft()).toHaveLength(1)
    expect(await read()).toBe(4)
  })
})

const buildsWithRows = rows(Type.Object({ build: count() }))`SELECT DISTINCT build FROM spoor.crawler_daily`

function evidenceOf({ crawlers: { evidence } }: TestService): typeof evidence {
  return overrideStore(evidence, {})
}
