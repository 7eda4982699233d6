import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DAY_MS, MINUTE_MS } from '#clock.ts'
import { dayStart } from '#days/utc-day.ts'
import { findBuilds, MAX_UNRENEWED_MS } from '#derived/builds.ts'
import { deleteRetired } from '#derived/delete-retired-builds.ts'
import { DerivedDays } from '#derived/derived-days.ts'
import { render } from '#evidence/fragment.ts'
import { overrideStore } from '#evidence/override-store.ts'
import type { TrackerContext } from '#tracker/context.ts'
import { deriveDefinitions } from '#tracker/definitions/derive-definitions.ts'
import { readOverview } from '#tracker/overview.ts'
import { deriveDays, visitorSessions } from '#tracker/sessions/derive-sessions.ts'
import { deriveSettled } from '#tracker/sessions/settled-sessions.ts'
import { openTestService, type TestService } from '../../support/service.ts'
import type { TestEvent } from '../../support/tracker.ts'
import { addDefinedSite, DAY, NOW, readAll, SOME, settleAt, storeVisits } from './open-day-site.ts'
import { histories } from './random-histories.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService(NOW)
})
afterAll(() => service.close())

const store = (ctx: TrackerContext, events: readonly TestEvent[]) => storeVisits(service, ctx, events)
const storeOf = ({ evidence }: TrackerContext): TrackerContext['evidence'] => overrideStore(evidence, {})

test('answers are the same before and after sessions of the open day have settled, build by build', async () => {
  let builds = 0
  await fc.assert(
    fc.asyncProperty(histories([DAY], 20), async (events) => {
      const ctx = await addDefinedSite(service)
      await store(ctx, [{ at: '2026-03-02T10:00:00Z' }, ...SOME, ...events])
      const before = await readAll(ctx)
      for (const { metrics } of before.conversions.conversions)
        expect(metrics.converted_sessions).toBeGreaterThanOrEqual(6)
      expect(before.funnels.funnels[0]?.metrics.completed_sessions).toBeGreaterThanOrEqual(6)
      for (const time of ['10:03:00', '11:32:00', '11:43:00', '12:36:00.001', '14:08:30']) {
        await settleAt(ctx, time)
        const settled = ctx.derived.settled.get(ctx.site.id)
        builds = Math.max(builds, settled?.builds.length ?? 0)
        expect(settled?.builds.at(-1)?.to).toBe(Date.parse(`${DAY}T${time}Z`) - 60_000)
        expect(await readAll(ctx)).toEqual(before)
      }
    }),
    { numRuns: 3, endOnFailure: true },
  )
  expect(builds).toBeGreaterThan(1)
}, 240_000)

test('sessions of a day with 10,000 events settle while its answers are asked for often, otherwise from 50,000 on', async () => {
  const ctx = await addDefinedSite(service)
  await store(ctx, [{ at: '2026-03-02T10:00:00Z' }, ...SOME])
  /** The day has two rows of accepted events. */
  const settle = async (events: number) => {
    const { numUpdatedRows } = await ctx.control.db
      .updateTable('collection_counts')
      .set({ events: events / 2 })
      .where((is) => is.and({ site_id: ctx.site.id, day: DAY, outcome: 'accepted' }))
      .executeTakeFirst()
    expect(Number(numUpdatedRows)).toBe(2)
    await deriveSettled(ctx)
    return ctx.derived.settled.has(ctx.site.id)
  }
  expect(await settle(49_998)).toBe(false)
  expect(await settle(50_000)).toBe(true)
  expect(await settle(10_000)).toBe(false)
  for (let answer = 0; answer < 4; answer++) await readOverview(ctx, { window: '3d' })
  expect(await settle(9_998)).toBe(false)
  expect(await settle(10_000)).toBe(true)
})

test('events that are stored late are counted a second later, and days derived without them are derived again', async () => {
  const ctx = await addDefinedSite(service)
  await store(ctx, [{ at: '2026-03-02T10:00:00Z' }, ...SOME])
  await settleAt(ctx, '13:00:00')
  const facts = ctx.derived.settled.get(ctx.site.id)?.facts
  const sessions = async () => (await readOverview(ctx, { window: '3d' })).metrics.sessions
  const before = await sessions()
  await store(ctx, [{ at: `${DAY}T08:00:00Z`, visitor: 900 }])
  service.clock.advance(1_000)
  expect(await sessions()).toBe((before as number) + 1)
  await settleAt(ctx, '13:01:00')
  expect(ctx.derived.settled.get(ctx.site.id)?.facts).not.toBe(facts)
  expect(await sessions()).toBe((before as number) + 1)
})

test('events stored while settled sessions are derived further are counted afterwards', async () => {
  const ctx = await addDefinedSite(service)
  await store(ctx, [{ at: '2026-03-02T10:00:00Z' }, ...SOME])
  await settleAt(ctx, '13:00:00')
  const sessions = async () => (await readOverview(ctx, { window: '3d' })).metrics.sessions
  const before = await sessions()
  for (const look of [1, 2, 3]) {
    await settleAt(ctx, `13:${look}0:00`)
    const left = { looks: look }
    const evidence: TrackerContext['evidence'] = {
      ...storeOf(ctx),
      async all(statement, limits) {
        const rows = await ctx.evidence.all(statement, limits)
        left.looks -= 1
        if (left.looks === 0) await store(ctx, [{ at: `${DAY}T08:00:00Z`, visitor: 900 + look }])
        return rows
      },
    }
    await settleAt({ ...ctx, evidence }, `13:${look}5:00`)
    expect(left.looks).toBeLessThanOrEqual(0)
    service.clock.advance(1_000)
    expect(await sessions()).toBe((before as number) + look)
  }
})

test('servers must have stored every row of settled sessions, and an answer looks at their events for 10 s at most', async () => {
  const ctx = await addDefinedSite(service)
  await store(ctx, [{ at: '2026-03-02T10:00:00Z' }, ...SOME])
  const may_grow: (boolean | undefined)[] = []
  const evidence = overrideStore(ctx.evidence, {
    run(command, limits) {
      may_grow.push(limits?.row_count_check?.may_grow)
      return ctx.evidence.run(command, limits)
    },
  })
  await settleAt({ ...ctx, evidence }, '13:00:00')
  expect(new Set(may_grow)).toEqual(new Set([false]))
  service.clock.advance(1_000)
  const seconds: (number | undefined)[] = []
  const timed = overrideStore(ctx.evidence, {
    all(statement, limits) {
      seconds.push(limits?.max_seconds)
      return ctx.evidence.all(statement, limits)
    },
  })
  await readOverview({ ...ctx, evidence: timed }, { window: '3d' })
  expect(seconds.length).toBeGreaterThan(1)
  expect(new Set(seconds)).toEqual(new Set([10]))
})

test('builds that were not renewed for long are not counted again, because another process may have deleted them', async () => {
  const ctx = await addDefinedSite(service)
  await store(ctx, [{ at: '2026-03-02T10:00:00Z' }, ...SOME])
  await settleAt(ctx, '13:00:00')
  const before = await readOverview(ctx, { window: '3d' })
  const { builds = [] } = ctx.derived.settled.get(ctx.site.id) ?? {}
  service.clock.advance(11 * MINUTE_MS)
  await deleteRetired({ ...ctx, derived: new DerivedDays() }, [visitorSessions(ctx)])
  for (const time of ['13:01:00', '13:05:00']) {
    await settleAt(ctx, time)
    const again = ctx.derived.settled.get(ctx.site.id)?.builds ?? []
    expect(again.length).toBeGreaterThan(0)
    expect(again.filter((one) => builds.some(({ build }) => build === one.build))).toEqual([])
    expect((await readOverview(ctx, { window: '3d' })).metrics.sessions).toBe(before.metrics.sessions)
  }
})

test('builds are kept from a node whose clock is 11 minutes ahead, which clears away', async () => {
  const ctx = await addDefinedSite(service)
  await store(ctx, [{ at: '2026-03-02T10:00:00Z' }, ...SOME])
  const sessions = async () => (await readOverview(ctx, { window: '3d' })).metrics.sessions
  const before = await sessions()
  await settleAt(ctx, '13:00:00')
  const clock = { ...service.clock, now: () => service.clock.now() + 11 * MINUTE_MS }
  expect(await deleteRetired({ ...ctx, clock, derived: new DerivedDays() }, [visitorSessions(ctx)])).toBe(0)
  service.clock.advance(1_000)
  expect(await sessions()).toBe(before)
  expect(ctx.derived.settled.get(ctx.site.id)?.builds).toHaveLength(1)
})

test('builds whose process paused for 11 minutes just before it renewed them are not used again', async () => {
  const ctx = await addDefinedSite(service)
  await store(ctx, [{ at: '2026-03-02T10:00:00Z' }, ...SOME])
  const sessions = async () => (await readOverview(ctx, { window: '3d' })).metrics.sessions
  const before = await sessions()
  await settleAt(ctx, '13:00:00')
  const evidence: TrackerContext['evidence'] = {
    ...storeOf(ctx),
    async all(statement, limits) {
      const rows = await ctx.evidence.all(statement, limits)
      // Sites of other tests are settled before this one.
      const isOfSite = render(statement.fragment).parameters.some(({ text }) => text.includes(ctx.site.id))
      if (!isOfSite) return rows
      service.clock.advance(11 * MINUTE_MS)
      await deleteRetired({ ...ctx, derived: new DerivedDays() }, [visitorSessions(ctx)])
      return rows
    },
  }
  await settleAt({ ...ctx, evidence }, '13:01:00')
  expect(ctx.derived.settled.get(ctx.site.id)).toBeUndefined()
  expect(await sessions()).toBe(before)
})

test('what definitions counted on a day when it was closed does not count once it is open again', async () => {
  const ctx = await addDefinedSite(service)
  await store(ctx, [{ at: '2026-03-02T10:00:00Z' }, ...SOME])
  const counts = async () => {
    const { overview, pages, conversions } = await readAll(ctx)
    return [overview.metrics, pages.pages, conversions.conversions]
  }
  const now = service.clock.now()
  const before = await counts()
  service.clock.set(dayStart(DAY) + DAY_MS + MINUTE_MS)
  await deriveDays(ctx)
  await deriveDefinitions(ctx)
  const found = await findBuilds(ctx.control.db, 'definitions', ctx.site.id)
  expect(found.map(({ day }) => day)).toContain(DAY)
  service.clock.set(now)
  await settleAt(ctx, '13:00:00')
  expect(ctx.derived.settled.get(ctx.site.id)?.builds).toHaveLength(1)
  expect(await counts()).toEqual(before)
})

test('settled sessions are used once they have more than half of the events', async () => {
  const ctx = await addDefinedSite(service)
  await store(ctx, [{ at: '2026-03-02T10:00:00Z' }, ...SOME])
  const read: string[] = []
  const evidence = overrideStore(ctx.evidence, {
    all(statement, limits) {
      read.push(render(statement.fragment).text)
      return ctx.evidence.all(statement, limits)
    },
  })
  const overview = async () => {
    read.length = 0
    service.clock.advance(1_000)
    const { metrics } = await readOverview({ ...ctx, evidence }, { window: '3d' })
    const [gathering] = read.filter((text) => text.includes('visitor_events'))
    return { metrics, is_by_settled: gathering?.includes('visitor IN') }
  }
  const before = await overview()
  expect(before.is_by_settled).toBe(false)
  // Four events of each visitor came by then, and no session ended half an hour before.
  await settleAt(ctx, '09:20:00')
  expect(ctx.derived.settled.get(ctx.site.id)).toMatchObject({ has_most_events: false })
  expect(await overview()).toEqual(before)
  await settleAt(ctx, '12:00:00')
  expect(ctx.derived.settled.get(ctx.site.id)).toMatchObject({ has_most_events: true })
  expect(await overview()).toEqual({ ...before, is_by_settled: true })
})

test('builds stay in use while deriving the sessions of all sites takes longer than builds may go without renewal', async () => {
  const sites: TrackerContext[] = []
  while (sites.length < 4) {
    const ctx = await addDefinedSite(service)
    await store(ctx, [{ at: '2026-03-02T10:00:00Z' }, ...SOME])
    sites.push(ctx)
  }
  const [ctx] = sites as [TrackerContext]
  await settleAt(ctx, '13:00:00')
  const begun = service.clock.now()
  const evidence = overrideStore(ctx.evidence, {
    run: (command, limits) => {
      const { text, parameters } = render(command)
      const is_of_site = parameters.some((parameter) => sites.some(({ site }) => site.id === parameter.text))
      if (is_of_site && text.includes('INSERT INTO spoor.sessions')) service.clock.advance(3 * MINUTE_MS)
      return ctx.evidence.run(command, limits)
    },
  })
  await settleAt({ ...ctx, evidence }, '13:30:00')
  expect(service.clock.now() - begun).toBe(12 * MINUTE_MS)
  const ages = sites.map(({ site }) => {
    const { renewed_at = 0, builds = [] } = ctx.derived.settled.get(site.id) ?? {}
    return { builds: builds.length, is_usable: service.clock.now() - renewed_at <= MAX_UNRENEWED_MS }
  })
  expect(ages).toEqual(sites.map(() => ({ builds: 2, is_usable: true })))
})
