import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DAY_MS, MINUTE_MS } from '#clock.ts'
import { deleteRetired } from '#derived/delete-retired-builds.ts'
import { DerivedDays } from '#derived/derived-days.ts'
import type { SessionSnapshot } from '#derived/session-snapshots.ts'
import { type Fragment, render } from '#evidence/fragment.ts'
import { overrideStore } from '#evidence/override-store.ts'
import { WriteGate } from '#move/write-gate.ts'
import type { TrackerContext } from '#tracker/context.ts'
import { addConversion, editConversion } from '#tracker/definitions/conversions.ts'
import { readConversionInput, readFunnelInput } from '#tracker/definitions/definition-input.ts'
import { addFunnel, editFunnel } from '#tracker/definitions/funnels.ts'
import { readOverview } from '#tracker/overview.ts'
import { deriveDays, visitorSessions } from '#tracker/sessions/derive-sessions.ts'
import { takeSnapshots } from '#tracker/sessions/session-snapshots.ts'
import { openTestService, type TestService } from '../../support/service.ts'
import type { TestEvent } from '../../support/tracker.ts'
import { addDefinedSite, DAY, NOW, readAll, SOME, settleAt, signup, storeVisits } from './open-day-site.ts'
import { histories } from './random-histories.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService(NOW)
})
afterAll(() => service.close())

const FIRST = { at: '2026-03-02T10:00:00Z' }
const store = (ctx: TrackerContext, events: readonly TestEvent[]) => storeVisits(service, ctx, events)
const sessionsOf = async (ctx: TrackerContext) => (await readOverview(ctx, { window: '3d' })).metrics.sessions

async function addBusySite(events: readonly TestEvent[] = []): Promise<TrackerContext> {
  service.clock.set(NOW)
  const ctx = await addDefinedSite(service)
  await store(ctx, [FIRST, ...SOME, ...events])
  await settleAt(ctx, '13:00:00')
  return ctx
}

/** As the job does it once answers were asked for often. */
async function snapshot(ctx: TrackerContext): Promise<SessionSnapshot | undefined> {
  for (let answer = 0; answer < 4; answer++) await sessionsOf(ctx)
  await takeSnapshots(ctx)
  return ctx.derived.snapshots.get(ctx.site.id)
}

/** Sites of other tests may be asked for often, too. */
const isOfSite = ({ site }: TrackerContext, command: Fragment) =>
  render(command).parameters.some(({ text }) => text === site.id)

/** The context, and how many of its statements read visitors' events. */
function countingReads(ctx: TrackerContext): { ctx: TrackerContext; gathered: () => number } {
  let gathered = 0
  const evidence = overrideStore(ctx.evidence, {
    all: (statement, limits) => {
      if (render(statement.fragment).text.includes('visitor_events')) gathered += 1
      return ctx.evidence.all(statement, limits)
    },
  })
  return { ctx: { ...ctx, evidence }, gathered: () => gathered }
}

test.each([{ yesterday: 'derived' }, { yesterday: 'dirty' }])(
  'answers by a snapshot are those from facts, and read no events of its day, after a $yesterday day',
  async ({ yesterday }) => {
    await fc.assert(
      fc.asyncProperty(histories(['2026-03-09', DAY], 15), async (events) => {
        service.clock.set(NOW)
        const site = await addDefinedSite(service)
        await store(site, [FIRST, ...SOME, ...events])
        if (yesterday === 'derived') await deriveDays(site)
        const { ctx, gathered } = countingReads(site)
        const before = await readAll(ctx)
        expect(before.conversions.conversions.map(({ metrics }) => metrics.converted_sessions)).not.toContain(0)
        for (const time of ['10:03:00', '12:36:00.001', '14:08:30']) {
          await settleAt(ctx, time)
          expect(await readAll(ctx)).toEqual(before)
          ctx.derived.snapshots.delete(ctx.site.id)
          expect(await snapshot(ctx)).toMatchObject({ at: Date.parse(NOW) })
          const gathered_before = gathered()
          expect(await readAll(ctx)).toEqual(before)
          if (yesterday === 'derived') expect(gathered()).toBe(gathered_before)
        }
      }),
      { numRuns: 1, endOnFailure: true },
    )
  },
)

test('events after a snapshot count within 30 seconds, and answers say up to when they count', async () => {
  const ctx = await addBusySite()
  await snapshot(ctx)
  const before = await readAll(ctx)
  service.clock.advance(30_000)
  await store(ctx, [
    { at: '2026-03-10T14:10:10Z', visitor: 900 },
    { at: '2026-03-10T14:10:10Z', stream: 'server', ...signup },
  ])
  const then = await readAll(ctx)
  expect(then.overview.metrics).toEqual(before.overview.metrics)
  expect(then.conversions.conversions).toEqual(before.conversions.conversions)
  for (const { meta } of Object.values(then)) {
    expect(meta).toMatchObject({ as_of: '2026-03-10T14:10:30.000Z', data_through: NOW, window: { cutoff: NOW } })
  }
  service.clock.advance(1)
  const later = await readAll(ctx)
  expect(later.overview.metrics.sessions).toBe((before.overview.metrics.sessions as number) + 1)
  expect(later.overview.meta.data_through).toBe('2026-03-10T14:10:30.001Z')
  const events = (of: typeof before) => of.conversions.conversions.map(({ metrics }) => metrics.conversion_events)
  expect(Math.max(...(events(later) as number[]))).toBe(Math.max(...(events(before) as number[])) + 1)
})

test('if few sessions have settled, a snapshot contains the whole day', async () => {
  const late = Array.from({ length: 60 }, (_, visitor) => ({ at: `${DAY}T12:50:00Z`, visitor: 900 + visitor }))
  const { ctx, gathered } = countingReads(await addBusySite(late))
  expect(ctx.derived.settled.get(ctx.site.id)).toMatchObject({ has_most_events: false })
  const before = await readAll(ctx)
  expect(await snapshot(ctx)).toMatchObject({ settled: [], at: Date.parse(NOW) })
  const gathered_before = gathered()
  expect(await readAll(ctx)).toEqual(before)
  expect(gathered()).toBe(gathered_before)
})

test('if the settled sessions may not be used any more, answers share a snapshot that contains the whole day', async () => {
  const { ctx, gathered } = countingReads(await addBusySite())
  await snapshot(ctx)
  service.clock.advance(11 * MINUTE_MS)
  await deleteRetired({ ...ctx, derived: new DerivedDays() }, [visitorSessions(ctx)])
  for (let answer = 0; answer < 4; answer++) await sessionsOf(ctx)
  const gathered_before = gathered()
  const answers = await readAll(ctx)
  expect(gathered()).toBe(gathered_before)
  expect(ctx.derived.snapshots.get(ctx.site.id)).toMatchObject({ settled: [], at: service.clock.now() })
  ctx.derived.snapshots.delete(ctx.site.id)
  expect(await readAll(ctx)).toEqual(answers)
  expect(gathered()).toBeGreaterThan(gathered_before)
})

test('a snapshot is taken only of sites that are read often, and again after ten seconds', async () => {
  const ctx = await addBusySite()
  for (let answer = 0; answer < 3; answer++) await sessionsOf(ctx)
  await takeSnapshots(ctx)
  expect(ctx.derived.snapshots.get(ctx.site.id)).toBeUndefined()
  service.clock.advance(20_000)
  await sessionsOf(ctx)
  await takeSnapshots(ctx)
  expect(ctx.derived.snapshots.get(ctx.site.id)).toBeDefined()
  const first = await snapshot(ctx)
  service.clock.advance(9_000)
  expect(await snapshot(ctx)).toBe(first)
  service.clock.advance(1_000)
  expect((await snapshot(ctx))?.at).toBe(Date.parse(NOW) + 30_000)
})

test('snapshots that copy sessions of the last one answer like facts, while visitors return and sessions settle', async () => {
  const times = ['12:05:00', '12:08:00', '12:09:59.999', '12:10:09', '12:11:09.001', '12:14:00', '12:18:00']
  const later = (event: TestEvent) => ({ ...event, at: new Date(Date.parse(event.at) + 13 * MINUTE_MS).toISOString() })
  let copies = 0
  await fc.assert(
    fc.asyncProperty(histories([DAY], 24), async (visits) => {
      service.clock.set(NOW)
      const site = await addDefinedSite(service)
      const evidence = overrideStore(site.evidence, {
        run: (command, limits) => {
          if (isOfSite(site, command) && render(command).text.includes('visitor NOT IN')) copies += 1
          return site.evidence.run(command, limits)
        },
      })
      const ctx = { ...site, evidence }
      // Some visitors are active between two snapshots, and some of their events are sent again.
      const events = [...SOME, ...visits, ...visits.filter((_, index) => index % 3 === 0).map(later)]
      let stored_by = 0
      for (const time of times) {
        const now = Date.parse(`${DAY}T${time}Z`)
        const isNew = ({ at }: TestEvent) => Date.parse(at) > stored_by && Date.parse(at) <= now
        service.clock.set(now)
        await store(ctx, events.filter(isNew))
        stored_by = now
        await settleAt(ctx, new Date(now - MINUTE_MS).toISOString().slice('YYYY-MM-DDT'.length, -1))
        expect(await snapshot(ctx)).toMatchObject({ at: now })
        expect(await readAll(ctx)).toEqual(await readAll({ ...ctx, derived: new DerivedDays() }))
      }
    }),
    { numRuns: 1, endOnFailure: true },
  )
  expect(copies).toBeGreaterThan(0)
})

test('if a snapshot is too old before the next one, answers of a site that is read often take one together', async () => {
  const site = await addBusySite()
  await snapshot(site)
  service.clock.advance(20_000)
  for (let answer = 0; answer < 3; answer++) await sessionsOf(site)
  service.clock.advance(10_001)
  await store(site, [{ at: '2026-03-10T14:10:10Z', visitor: 900 }])
  const { ctx, gathered } = countingReads(site)
  const taken: Fragment[] = []
  const evidence = overrideStore(ctx.evidence, {
    run: (command, limits) => {
      taken.push(command)
      return ctx.evidence.run(command, limits)
    },
  })
  const sessions = await Promise.all(Array.from({ length: 4 }, () => sessionsOf({ ...ctx, evidence })))
  expect(gathered()).toBe(0)
  const insertsOfOne = taken.length
  expect(site.derived.snapshots.get(site.site.id)?.at).toBe(Date.parse(NOW) + 30_001)
  service.clock.advance(30_000)
  await takeSnapshots({ ...ctx, evidence })
  expect(taken.slice(insertsOfOne).filter((command) => isOfSite(site, command))).toHaveLength(insertsOfOne)
  site.derived.snapshots.delete(site.site.id)
  expect(sessions).toEqual(Array.from({ length: 4 }, () => sessions[0]))
  expect(await sessionsOf(site)).toBe(sessions[0])
})

test('while the stores take no writes, as during a move, answers that find the last snapshot too old read the facts', async () => {
  const site = await addBusySite()
  await snapshot(site)
  service.clock.advance(20_000)
  for (let answer = 0; answer < 4; answer++) await sessionsOf(site)
  service.clock.advance(10_001)
  const { ctx, gathered } = countingReads(site)
  const gate = new WriteGate()
  const moving = { ...ctx, control: gate.ofControl(ctx.control), evidence: gate.ofEvidence(ctx.evidence) }
  await gate.close()
  const last = site.derived.snapshots.get(site.site.id)
  const sessions = await sessionsOf(moving)
  expect(gathered()).toBeGreaterThan(0)
  expect(site.derived.snapshots.get(site.site.id)).toBe(last)
  gate.open()
  expect(await sessionsOf(moving)).toBe(sessions)
  expect(site.derived.snapshots.get(site.site.id)?.at).toBe(Date.parse(NOW) + 30_001)
})

test('a slow snapshot is used for twenty times its duration, at most 90 seconds, before it is taken again', async () => {
  const ctx = await addBusySite()
  const taking = (ms_an_insert: number): TrackerContext => ({
    ...ctx,
    evidence: overrideStore(ctx.evidence, {
      async run(command, limits) {
        if (isOfSite(ctx, command)) service.clock.advance(ms_an_insert)
        return ctx.evidence.run(command, limits)
      },
    }),
  })
  const inserts = 5
  await snapshot(taking(750 / inserts))
  expect(ctx.derived.snapshots.get(ctx.site.id)).toMatchObject({ at: Date.parse(NOW), fresh_ms: 15_000 })
  service.clock.set(Date.parse(NOW) + 15_000)
  expect(await snapshot(ctx)).toMatchObject({ at: Date.parse(NOW) })
  service.clock.advance(1)
  const at = Date.parse(NOW) + 15_001
  expect(await snapshot(taking(5_000 / inserts))).toMatchObject({ at, fresh_ms: 90_000 })
  const dataThrough = async () => (await readOverview(ctx, { window: '3d' })).meta.data_through
  service.clock.set(at + 180_000)
  expect(await dataThrough()).toBe(new Date(at).toISOString())
  service.clock.advance(1)
  expect(await dataThrough()).toBe(new Date(at + 180_001).toISOString())
})

test('the job renews settled sessions, and its snapshots are based on those of the instant at which they are taken', async () => {
  const first = await addBusySite()
  const second = await addDefinedSite(service)
  await store(second, [FIRST, ...SOME])
  await settleAt(second, '13:00:00')
  const last = [...second.derived.settled.keys()].at(-1)
  expect(last).toBe(second.site.id)
  for (let answer = 0; answer < 4; answer++) await Promise.all([sessionsOf(first), sessionsOf(second)])
  service.clock.advance(2 * MINUTE_MS)
  for (let answer = 0; answer < 4; answer++) await Promise.all([sessionsOf(first), sessionsOf(second)])
  const evidence = overrideStore(first.evidence, {
    run: async (command, limits) => {
      const is_first = isOfSite(first, command) && render(command).text.includes('INSERT INTO spoor.sessions')
      await first.evidence.run(command, limits)
      if (is_first) await settleAt(second, '13:30:00')
    },
  })
  await takeSnapshots({ ...first, evidence })
  const settled = second.derived.settled.get(second.site.id)
  expect(settled).toMatchObject({ builds: { length: 2 }, renewed_at: service.clock.now() })
  expect(second.derived.snapshots.get(second.site.id)?.settled).toEqual(settled?.builds.map(({ build }) => build))
  expect(first.derived.settled.get(first.site.id)?.renewed_at).toBe(service.clock.now())
})

test('an event that is stored late is counted a second later in spite of a snapshot', async () => {
  const ctx = await addBusySite()
  await snapshot(ctx)
  const before = (await sessionsOf(ctx)) as number
  await store(ctx, [{ at: `${DAY}T14:09:00Z`, visitor: 900 }])
  service.clock.advance(1_000)
  expect(await sessionsOf(ctx)).toBe(before + 1)
  await store(ctx, [{ at: `${DAY}T08:00:00Z`, visitor: 901 }])
  service.clock.advance(10_000)
  await snapshot(ctx)
  expect(await sessionsOf(ctx)).toBe(before + 2)
})

test('definitions made or revised after a snapshot count as from facts at its instant', async () => {
  const ctx = await addBusySite([
    { at: `${DAY}T14:00:00Z`, visitor: 900, ...signup },
    { at: `${DAY}T14:09:59Z`, stream: 'server', ...signup },
  ])
  await snapshot(ctx)
  service.clock.advance(5_000)
  const { site } = ctx
  const page = (path: string) => ({ kind: 'page', hostname: site.root_domain, path })
  const matcher = { ...page('/b'), kind: 'pageview', path_fidelity: 'exact', property_rules: [] }
  const edit = { matcher: readConversionInput({ name: 'Edited', matcher }).matcher }
  await editConversion(ctx, { site, conversion: 'Conversion 0', edit })
  for (const effective_from of [undefined, Date.parse(`${DAY}T09:01:45Z`), Date.parse(NOW)]) {
    const name = `From ${effective_from}`
    const from = effective_from === undefined ? {} : { effective_from }
    await addConversion(ctx, { site, definition: readConversionInput({ name, matcher }), ...from })
    await addFunnel(ctx, { site, definition: readFunnelInput({ name, steps: [page('/'), page('/b')] }), ...from })
  }
  const { steps } = readFunnelInput({ name: 'Funnel', steps: [page('/'), page('/a')] })
  await editFunnel(ctx, { site, funnel: 'Funnel', edit: { steps } })
  const collection = { readableThrough: () => Date.parse(NOW), is_collecting: true }
  const from_facts = await readAll({ ...ctx, derived: new DerivedDays(), collection })
  expect(from_facts.overview.meta).toMatchObject({ as_of: '2026-03-10T14:10:05.000Z', data_through: NOW })
  const { ctx: counted, gathered } = countingReads(ctx)
  expect(await readAll(counted)).toEqual(from_facts)
  expect(gathered()).toBe(0)
})

test('no snapshot is taken if events wait for long, and none is kept whose rows could not be inserted', async () => {
  const ctx = await addBusySite()
  await snapshot({ ...ctx, collection: { readableThrough: () => Date.parse(NOW) - 30_001 } })
  const evidence = overrideStore(ctx.evidence, {
    run: async (command, limits) => {
      if (isOfSite(ctx, command)) throw new Error('not inserted')
      return ctx.evidence.run(command, limits)
    },
  })
  const held = new Set(ctx.derived.building)
  await expect(snapshot({ ...ctx, evidence })).rejects.toMatchObject({ errors: [new Error('not inserted')] })
  expect(ctx.derived.snapshots.get(ctx.site.id)).toBeUndefined()
  expect(ctx.derived.building).toEqual(held)
})

test('a site whose snapshot cannot be taken does not prevent those of others', async () => {
  const [failing, other] = [await addBusySite(), await addBusySite()]
  const evidence = overrideStore(failing.evidence, {
    run: async (command, limits) => {
      if (isOfSite(failing, command)) throw new Error('not inserted')
      return failing.evidence.run(command, limits)
    },
  })
  for (const ctx of [failing, other]) for (let answer = 0; answer < 4; answer++) await sessionsOf(ctx)
  await expect(takeSnapshots({ ...failing, evidence })).rejects.toThrow('sites whose open day could not be derived: 1')
  expect(failing.derived.snapshots.get(failing.site.id)).toBeUndefined()
  expect(other.derived.snapshots.get(other.site.id)).toBeDefined()
})

test('a snapshot during which events are stored late is not used', async () => {
  const ctx = await addBusySite()
  await sessionsOf(ctx)
  for (const [at, received] of [`${DAY}T08:00:00Z`, `${DAY}T14:09:00Z`].entries()) {
    let inserts = 0
    const evidence = overrideStore(ctx.evidence, {
      run: async (command, limits) => {
        const is_of_site = isOfSite(ctx, command)
        if (is_of_site && inserts === 0) await store(ctx, [{ at: received, visitor: 900 + at }])
        if (is_of_site) inserts += 1
        return ctx.evidence.run(command, limits)
      },
    })
    const before = (await sessionsOf(ctx)) as number
    await snapshot({ ...ctx, evidence })
    expect(inserts).toBe(5)
    expect(ctx.derived.snapshots.get(ctx.site.id)).toBeUndefined()
    service.clock.advance(1_000)
    expect(await sessionsOf(ctx)).toBe(before + 1)
    await settleAt(ctx, '13:01:00')
  }
})

test('a snapshot is not used on the next day, and its builds are deleted when no answer can use them', async () => {
  const ctx = await addBusySite()
  const taken = await snapshot(ctx)
  const clearAway = () => deleteRetired(ctx, [visitorSessions(ctx)])
  const rows = async () => {
    const found = await ctx.control.db.selectFrom('retired_builds').select('build').execute()
    return found.filter(({ build }) => build === taken?.ended || build === taken?.growing).length
  }
  expect(await rows()).toBe(2)
  service.clock.set('2026-03-11T00:00:05Z')
  await clearAway()
  // Held by this process, as long as it knows the snapshot.
  expect(await rows()).toBe(2)
  expect((await readOverview(ctx, { window: '3d' })).meta.data_through).toBe('2026-03-11T00:00:05.000Z')
  await takeSnapshots(ctx)
  expect(ctx.derived.snapshots.get(ctx.site.id)).toBeUndefined()
  await clearAway()
  expect(await rows()).toBe(0)
})

test('another snapshot is taken when other processes may have deleted its builds; none is used when the clock was set back', async () => {
  const ctx = await addBusySite()
  const before = await snapshot(ctx)
  const { ctx: counted, gathered } = countingReads(ctx)
  const sessions = await sessionsOf(counted)
  expect(ctx.derived.snapshots.get(ctx.site.id)).toBe(before)
  const clock = { ...ctx.clock, now: () => service.clock.now(), shared: () => ctx.clock.shared() + DAY_MS }
  expect(await sessionsOf({ ...counted, clock })).toBe(sessions)
  const second = ctx.derived.snapshots.get(ctx.site.id)
  expect(second).toMatchObject({ settled: [], at: Date.parse(NOW) })
  expect(second?.ended).not.toBe(before?.ended)
  expect(gathered()).toBe(0)
  service.clock.set(Date.parse(NOW) - 1)
  expect(await sessionsOf(counted)).toBe(sessions)
  expect(gathered()).toBe(1)
})

test('answers that count development’s events too use no snapshot', async () => {
  const ctx = await addBusySite([{ at: `${DAY}T14:00:00Z`, visitor: 900, stream: 'development' }])
  await snapshot(ctx)
  const visitors = (await sessionsOf(ctx)) as number
  const { metrics } = await readOverview(ctx, { window: '3d', include: ['development'] })
  expect(metrics.sessions).toBe(visitors + 1)
})

test('a process that knows nothing of a snapshot counts none of its rows', async () => {
  const ctx = await addBusySite()
  const before = await sessionsOf(ctx)
  await snapshot(ctx)
  expect(await sessionsOf({ ...ctx, derived: new DerivedDays() })).toBe(before)
})
