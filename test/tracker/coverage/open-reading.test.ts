import { Compile } from 'typebox/compile'
import { beforeEach, describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#clock.ts'
import { closed } from '#contract/fields.ts'
import { envelopeFields } from '#contract/tracker-meta.ts'
import { SHORT_WINDOWS } from '#contract/vocabulary.ts'
import { recordSnippetInspection } from '#inspections/snippet-inspections.ts'
import { setGate } from '#sites/gates.ts'
import type { Site } from '#sites/site.ts'
import type { RecentCollection, TrackerContext } from '#tracker/context.ts'
import { envelope } from '#tracker/coverage/envelope.ts'
import { type OpenedReading, openTrackerReading } from '#tracker/coverage/open-reading.ts'
import { publishCount } from '#tracker/coverage/publish-count.ts'
import { gateOf, READERS } from '#tracker/coverage/readers.ts'
import { withEvidence } from '#tracker/coverage/with-evidence.ts'
import { serviceOfFile } from '../../support/fresh.ts'
import type { TestService } from '../../support/service.ts'
import { enableTracker, storeEvents } from '../../support/tracker.ts'

const NOW = '2026-03-10T12:00:00.000Z'
const FIRST = '2026-03-01T00:00:00Z'

let service: TestService
let site: Site
let readable: number | null
let recent: RecentCollection | null

const shared = serviceOfFile()
beforeEach(async () => {
  service = await shared.fresh(NOW)
  site = await service.addSite('example.com')
  readable = null
  recent = null
})

const context = (): TrackerContext => ({
  ...service.crawlers,
  site,
  collection: { readableThrough: () => readable ?? service.clock.now(), recent: () => recent },
})
const open = (window: '3d' | '7d' | '30d' = '3d') => openTrackerReading(context(), { window, reader: 'overview' })
const enable = (through = NOW, from = FIRST) => enableTracker(service, site, { from, through })
const event = (...instants: string[]) =>
  storeEvents(
    service,
    site,
    instants.map((at) => ({ at })),
  )
/** Days as `state limitation`, ascending. */
const reported = ({ days }: OpenedReading) =>
  [...days.values()].map(({ state, limitation }) => `${state} ${limitation}`)
const metaOf = (reading: OpenedReading) =>
  envelope(reading, { contract_version: 'analytics-test/v1', evaluator_version: 'sessions/v1', preset: '3d' })
const db = () => service.installation.control.db
const refuse = (reason: string, events: number, at: string) =>
  db()
    .insertInto('collection_counts')
    .values({ site_id: site.id, day: at.slice(0, 10), outcome: 'refused', reason, events, last_at: Date.parse(at) })
    .execute()

describe('what a day is (rules 6)', () => {
  test('days with an event while the collector was up are complete, the open one too', async () => {
    await enable()
    await event('2026-03-01T10:00:00Z', '2026-03-08T10:00:00Z', '2026-03-09T10:00:00Z', '2026-03-10T10:00:00Z')
    const reading = await open()
    expect(reported(reading)).toEqual(['complete null', 'complete null', 'complete null'])
    expect(reading).toMatchObject({
      is_whole: true,
      has_evidence: true,
      gaps: [],
      limitations: [],
      available_from: '2026-03-01',
      measurement_state: 'measured',
      data_through: Date.parse(NOW),
      scope: { builds: [], fact_days: ['2026-03-08', '2026-03-09', '2026-03-10'], cutoff: Date.parse(NOW) },
    })
  })

  test('a day without an event is a gap unless the inspection found the snippet', async () => {
    await enable()
    await event('2026-03-01T10:00:00Z', '2026-03-10T10:00:00Z')
    await db()
      .insertInto('snippet_proofs')
      .values({
        site_id: site.id,
        day: '2026-03-08',
        proof: 'inspection',
        proved_at: Date.parse('2026-03-08T09:00:00Z'),
      })
      .execute()
    const reading = await open()
    expect(reported(reading)).toEqual(['complete null', 'gap no_signal', 'complete null'])
    expect(reading).toMatchObject({
      is_whole: false,
      gaps: [{ from: '2026-03-09', to: '2026-03-09' }],
      limitations: ['no_signal'],
    })
  })

  test("events of the customer's servers alone prove no snippet: a gap of visitors, and in part what servers report", async () => {
    await enable()
    const sale = (at: string) => ({ at, stream: 'server', visitor: 0, kind: 'revenue' }) as const
    await storeEvents(service, site, [
      { at: '2026-03-01T10:00:00Z' },
      sale('2026-03-08T10:00:00Z'),
      sale('2026-03-09T10:00:00Z'),
      sale('2026-03-10T10:00:00Z'),
      { at: '2026-03-10T11:00:00Z' },
    ])
    await db()
      .insertInto('snippet_proofs')
      .values({ site_id: site.id, day: '2026-03-08', proof: 'script_load', proved_at: Date.parse(NOW) })
      .execute()
    expect(reported(await open())).toEqual(['partial loads_without_events', 'gap no_signal', 'complete null'])
    for (const reader of ['revenue', 'conversions'] as const) {
      const reading = await openTrackerReading(context(), { window: '3d', reader })
      expect(reported(reading)).toEqual(['partial loads_without_events', 'partial no_signal', 'complete null'])
      expect(reading).toMatchObject({ is_whole: false, gaps: [], scope: { fact_days: [...reading.days.keys()] } })
    }
  })

  test('at midnight the new day is what any later instant would call it', async () => {
    await enable('2026-03-11T00:00:00Z')
    await event('2026-03-01T10:00:00Z', '2026-03-09T10:00:00Z', '2026-03-10T10:00:00Z')
    service.clock.set('2026-03-11T00:00:00.000Z')
    expect(reported(await open())).toEqual(['complete null', 'complete null', 'gap no_signal'])
    await event('2026-03-11T00:00:00.000Z')
    expect(reported(await open())).toEqual(['complete null', 'complete null', 'complete null'])
    await db()
      .updateTable('trackers')
      .set({ disabled_at: Date.parse('2026-03-10T22:00:00Z') })
      .execute()
    expect(reported(await open())).toEqual(['complete null', 'partial disabled', 'gap disabled'])
  })

  test('days before the first event are unknown, and coverage begins within its own day', async () => {
    await enable()
    await event('2026-03-09T10:00:00Z', '2026-03-10T10:00:00Z')
    const reading = await open()
    expect(reported(reading)).toEqual(['gap before_first_event', 'partial evidence_begins', 'complete null'])
    expect(reading.available_from).toBe('2026-03-09')
  })

  test('nothing was interrupted on the first day before the tracker was there', async () => {
    await enable(NOW, '2026-03-10T11:00:00Z')
    await event('2026-03-10T11:30:00Z')
    expect(reported(await open()).at(-1)).toBe('partial evidence_begins')
  })

  test('a collector of this process is up now, however long ago its last mark was', async () => {
    await enable('2026-03-10T11:59:31Z', '2026-03-10T11:00:00Z')
    await event('2026-03-10T11:59:50Z')
    expect((await open()).data_through).toBe(Date.parse('2026-03-10T11:59:31Z'))
    const collecting = { ...context(), collection: { readableThrough: () => service.clock.now(), is_collecting: true } }
    const reading = await openTrackerReading(collecting, { window: '3d', reader: 'overview' })
    expect([reading.data_through, reading.scope.cutoff]).toEqual([Date.parse(NOW), Date.parse(NOW)])
  })

  test('a mark may be missing for 90 seconds and no longer', async () => {
    await enable('2026-03-09T08:00:00Z')
    await event('2026-03-01T10:00:00Z', '2026-03-08T10:00:00Z', '2026-03-09T10:00:00Z', '2026-03-10T10:00:00Z')
    const run = (from_at: number) =>
      db()
        .insertInto('collector_runs')
        .values({ id: crypto.randomUUID(), from_at, through_at: Date.parse(NOW) })
        .execute()
    const stopped = Date.parse('2026-03-09T08:00:00Z')
    await run(stopped + 90_001)
    expect(reported(await open())).toEqual(['complete null', 'partial collection_interrupted', 'complete null'])
    await run(stopped + 90_000)
    expect(reported(await open())).toEqual(['complete null', 'complete null', 'complete null'])
  })

  test('a run with a clock that was ahead does not cover the time after it', async () => {
    await enable('2026-03-10T08:00:00Z')
    await event('2026-03-01T10:00:00Z', '2026-03-10T07:00:00Z')
    const ahead = Date.parse('2031-01-01T00:00:00Z')
    await db()
      .insertInto('collector_runs')
      .values({ id: crypto.randomUUID(), from_at: ahead, through_at: ahead + MINUTE_MS })
      .execute()
    expect(await open()).toMatchObject({
      data_through: Date.parse('2026-03-10T08:00:00Z'),
      freshness: { state: 'stale', limitations: ['collection_interrupted'] },
    })
  })

  test('a collector that was down all day leaves a gap, one that never came back leaves gaps', async () => {
    await enable('2026-03-08T20:00:00Z')
    await event('2026-03-01T10:00:00Z', '2026-03-08T10:00:00Z')
    const reading = await open()
    expect(reported(reading)).toEqual([
      'partial collection_interrupted',
      'gap collection_interrupted',
      'gap collection_interrupted',
    ])
    expect(reading.freshness).toEqual({ state: 'stale', limitations: ['collection_interrupted'] })
    expect(reading.scope.cutoff).toBe(Date.parse('2026-03-08T20:00:00Z'))
  })

  test.each([
    ['rate_limited', 'partial collection_interrupted'],
    ['backlog_full', 'partial collection_interrupted'],
    ['not_durable', 'partial collection_interrupted'],
    ['store_unavailable', 'partial collection_interrupted'],
    ['internal_error', 'partial collection_interrupted'],
    ['spool_damaged', 'partial collection_interrupted'],
    ['not_stored', 'partial collection_interrupted'],
    ['foreign_origin', 'complete null'],
    ['undeclared_property', 'complete null'],
  ])('an event refused as %s makes its day: %s', async (reason, verdict) => {
    await enable()
    await event('2026-03-01T10:00:00Z', '2026-03-08T10:00:00Z', '2026-03-09T10:00:00Z', '2026-03-10T10:00:00Z')
    await refuse(reason, 1, '2026-03-09T11:00:00Z')
    expect(reported(await open())).toEqual(['complete null', verdict, 'complete null'])
  })

  test('switched off by the owner all day is a gap, for a part of it partial; switched off is not an interruption', async () => {
    await enable()
    await event('2026-03-01T10:00:00Z', '2026-03-08T10:00:00Z', '2026-03-09T10:00:00Z', '2026-03-10T10:00:00Z')
    await db()
      .insertInto('tracker_pauses')
      .values({
        site_id: site.id,
        from_at: Date.parse('2026-03-08T12:00:00Z'),
        to_at: Date.parse('2026-03-10T00:00:00Z'),
      })
      .execute()
    expect(reported(await open())).toEqual(['partial disabled', 'gap disabled', 'complete null'])
    await db()
      .updateTable('trackers')
      .set({ disabled_at: Date.parse('2026-03-10T11:00:00Z') })
      .execute()
    const reading = await open()
    expect(reported(reading)).toEqual(['partial disabled', 'gap disabled', 'partial disabled'])
    expect(reading.freshness).toEqual({ state: 'unavailable', limitations: ['disabled'] })
    expect(reading.operational).toMatchObject({ state: 'disabled', reason_code: 'disabled_by_owner' })
  })

  test('what waits in the spool is not counted yet: the open day is late after five minutes', async () => {
    await enable()
    await event('2026-03-01T10:00:00Z', '2026-03-08T10:00:00Z', '2026-03-09T10:00:00Z', '2026-03-10T10:00:00Z')
    readable = Date.parse(NOW) - 5 * MINUTE_MS
    const fresh = await open()
    expect(reported(fresh).at(-1)).toBe('complete null')
    expect([fresh.data_through, fresh.scope.cutoff, fresh.freshness.state]).toEqual([readable, readable, 'current'])
    readable -= 1
    const stale = await open()
    expect(reported(stale).at(-1)).toBe('partial not_yet_readable')
    expect(stale.freshness).toEqual({ state: 'stale', limitations: ['not_yet_readable'] })
    readable = Date.parse('2026-03-09T23:00:00Z')
    expect(reported(await open())).toEqual(['complete null', 'partial not_yet_readable', 'gap not_yet_readable'])
  })

  test('days past the retention of the site are gaps', async () => {
    await enable()
    await event('2026-03-01T10:00:00Z', '2026-03-08T10:00:00Z', '2026-03-09T10:00:00Z', '2026-03-10T10:00:00Z')
    await db().updateTable('sites').set({ retention_days: 1 }).execute()
    expect(reported(await open())).toEqual(['gap retention', 'complete null', 'complete null'])
  })
})

describe('which build counts', () => {
  test('closed days by their build, unless they are dirty; the open day from facts', async () => {
    await enable()
    await event('2026-03-01T10:00:00Z', '2026-03-08T10:00:00Z', '2026-03-09T10:00:00Z', '2026-03-10T10:00:00Z')
    await db()
      .insertInto('builds')
      .values(
        ['2026-03-08', '2026-03-09', '2026-03-10'].map((day, index) => ({
          site_id: site.id,
          day,
          kind: 'sessions',
          part: '',
          build: index + 7,
        })),
      )
      .execute()
    await db().deleteFrom('dirty_days').where('day', '!=', '2026-03-09').execute()
    const { scope } = await open()
    expect(scope.builds).toMatchObject([{ day: '2026-03-08', build: 7 }])
    expect(scope.fact_days).toEqual(['2026-03-09', '2026-03-10'])
  })
})

describe('measurement and operation (rules 6)', () => {
  test('uninstalled: nothing is known and nothing is a gap', async () => {
    const reading = await open()
    expect(reading).toMatchObject({
      measurement_state: 'uninstalled',
      has_evidence: false,
      is_whole: false,
      gaps: [],
      data_through: null,
      available_from: null,
      scope: { builds: [], fact_days: [] },
      freshness: { state: 'unavailable' },
      operational: { state: 'not_set_up', reason_code: null, checked_at: null },
    })
    expect(publishCount(reading, 0)).toBeNull()
    expect(metaOf(reading).completeness.state).toBe('unknown')
  })

  test('with a key and no event it awaits evidence; the whole window is a gap', async () => {
    await enable()
    const reading = await open()
    expect(reading).toMatchObject({
      measurement_state: 'awaiting_first_evidence',
      has_evidence: false,
      gaps: [{ from: '2026-03-08', to: '2026-03-10' }],
      limitations: ['before_first_event'],
      operational: { state: 'connecting', reason_code: 'no_event_yet', checked_at: NOW },
    })
    expect(metaOf(reading).completeness).toMatchObject({ state: 'unknown' })
  })

  test('live needs attention when half of the hour is refused, or a proxy hides the addresses', async () => {
    await enable()
    await event('2026-03-10T11:30:00Z')
    await db()
      .updateTable('collection_counts')
      .set({ last_at: Date.parse('2026-03-10T11:30:00Z'), events: 4 })
      .execute()
    const state = async () => {
      const { operational } = await open()
      return `${operational.state} ${operational.reason_code}`
    }
    expect(await state()).toBe('live null')
    await refuse('rate_limited', 3, '2026-03-10T11:40:00Z')
    expect(await state()).toBe('live null')
    await refuse('undeclared_property', 1, '2026-03-10T11:40:00Z')
    expect(await state()).toBe('needs_attention events_refused')
    await refuse('foreign_origin', 9, '2026-03-10T11:40:00Z')
    expect(await state()).toBe('needs_attention origin_mismatch')
    recent = { accepted: 30, refused: { foreign_origin: 29, tracker_disabled: 40 }, hides_addresses: false }
    expect(await state()).toBe('live null')
    recent = { accepted: 30, refused: {}, hides_addresses: true }
    expect(await state()).toBe('needs_attention proxy_hides_addresses')
  })

  test('a silent day is no_signal only when the snippet was looked for and not found', async () => {
    await enable()
    await event('2026-03-09T12:00:00Z')
    const found = (outcome: string) =>
      recordSnippetInspection(db(), {
        site_id: site.id,
        host: site.root_domain,
        inspected_at: Date.parse(NOW) - HOUR_MS,
        outcome,
      })
    expect((await open()).operational.state).toBe('live')
    await found('unreachable')
    expect((await open()).operational.state).toBe('live')
    await found('not_found')
    expect((await open()).operational).toMatchObject({ state: 'needs_attention', reason_code: 'no_signal' })
    await db()
      .insertInto('snippet_proofs')
      .values({ site_id: site.id, day: '2026-03-09', proof: 'script_load', proved_at: Date.parse(NOW) - DAY_MS + 1 })
      .execute()
    expect((await open()).operational.state).toBe('live')
  })
})

describe('the envelope', () => {
  test('matches the contract in every state', async () => {
    const check = Compile(closed(envelopeFields('analytics-test/v1', 'sessions/v1', SHORT_WINDOWS)))
    const errors = async () => [...check.Errors(metaOf(await open()))]
    expect(await errors()).toEqual([])
    await enable()
    expect(await errors()).toEqual([])
    await event('2026-03-09T10:00:00Z')
    expect(await errors()).toEqual([])
    expect(metaOf(await open())).toMatchObject({
      as_of: NOW,
      window: { preset: '3d', from: '2026-03-08', to: '2026-03-10', cutoff: NOW },
      available_from: '2026-03-09',
      data_through: NOW,
      completeness: {
        state: 'partial',
        gaps: [
          { from: '2026-03-08', to: '2026-03-08' },
          { from: '2026-03-10', to: '2026-03-10' },
        ],
        limitations: ['before_first_event', 'evidence_begins', 'no_signal', 'observed_browsers_only'],
      },
    })
  })
})

describe('gates and stores', () => {
  test.each(READERS)('the reader %s refuses while its gate is closed, and no other does', async (reader) => {
    const { control, clock } = service.installation
    const gate = { site_id: site.id, name: gateOf(reader), is_open: false }
    await control.transaction((tx) => setGate(tx, { clock }, gate))
    for (const other of READERS) {
      const answer = openTrackerReading(context(), { window: '3d', reader: other })
      if (other !== reader) expect((await answer).reader).toBe(other)
      else await expect(answer).rejects.toMatchObject({ kind: 'reader_unavailable' })
    }
  })

  test('what `also` reads comes from the same snapshot', async () => {
    const { also } = await openTrackerReading(context(), {
      window: '3d',
      reader: 'funnels',
      also: (tx) => tx.selectFrom('sites').select('root_domain').execute(),
    })
    expect(also).toEqual([{ root_domain: 'example.com' }])
  })

  test('a closed evidence store: strict readers refuse, the others are unavailable with nulls', async () => {
    await enable()
    await event('2026-03-09T10:00:00Z')
    await service.crawlers.evidence.close()
    for (const reader of READERS) {
      const reading = await openTrackerReading(context(), { window: '3d', reader })
      const answer = withEvidence(
        context(),
        reading,
        async (evidence) => {
          await evidence.ping()
          return { meta: metaOf(reading), sessions: publishCount(reading, 1) }
        },
        (without) => ({ meta: metaOf(without), sessions: publishCount(without, 1) }),
      )
      if (['funnels', 'funnel', 'journeys', 'revenue'].includes(reader)) {
        await expect(answer).rejects.toMatchObject({ kind: 'reader_unavailable' })
      } else {
        expect(await answer).toMatchObject({
          sessions: null,
          meta: {
            measurement_state: 'unavailable',
            available_from: '2026-03-09',
            freshness: { state: 'unavailable', limitations: ['evidence_unreadable'] },
          },
        })
      }
    }
  })

  test('a defect is reported as a defect', async () => {
    const reading = await open()
    const work = () => Promise.reject(new TypeError('x'))
    await expect(withEvidence(context(), reading, work, () => null)).rejects.toBeInstanceOf(TypeError)
  })
})
