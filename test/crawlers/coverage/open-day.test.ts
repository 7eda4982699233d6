/**
 * Who counts the open day is worked out with every delivery, so that it must not cost as much as all that a site ever
 * covered.
 */
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '#clock.ts'
import type { ControlTransaction } from '#control/store.ts'
import { countOpenDay } from '#crawlers/coverage/choose-counting-source.ts'
import { readForOpenDay, withOpenDay } from '#crawlers/coverage/open-day.ts'
import { readCoverageEvidence } from '#crawlers/coverage/site-coverage.ts'
import { dayStart, utcDay } from '#days/utc-day.ts'
import { openTestControl } from '../../support/control.ts'

const NOW = Date.parse('2026-03-10T15:00:00Z')
const TODAY = dayStart(utcDay(NOW))
const SITE = 's'

/** A store with one site. */
async function openSite() {
  const store = await openTestControl()
  onTestFinished(() => store.remove())
  await store.execute(
    "INSERT INTO accounts (id, name, status, access, created_at) VALUES ('a', 'A', 'active', 'trial', 1)",
  )
  await store.execute(
    `INSERT INTO sites (id, account_id, root_domain, created_at, retention_days) VALUES ('${SITE}', 'a', 'example.com', 1, 400)`,
  )
  return store.control
}

type Control = Awaited<ReturnType<typeof openSite>>

interface CoveredHours {
  source: number
  host: string
  sender: string
  /** Before now. */
  hours_back: number
  hours: number
  quality: 'complete' | 'partial'
  sampling: number | null
  is_declared: 0 | 1
}

const SOURCES = [
  { source_type: 'https_intake', name: 'first' },
  { source_type: 'https_intake', name: 'second' },
  { source_type: 'log_upload', name: '' },
  { source_type: 'log_upload', name: 'web1' },
] as const

function store(control: Control, covered: readonly CoveredHours[]): Promise<void> {
  return control.transaction((tx) => storeIn(tx, covered))
}

async function storeIn(tx: ControlTransaction, covered: readonly CoveredHours[]): Promise<void> {
  const span = ({ hours_back, hours }: CoveredHours) => {
    const from_at = NOW - hours_back * HOUR_MS
    return { from_at, to_at: Math.min(NOW, from_at + hours * HOUR_MS) }
  }
  for (const table of ['open_day_winners', 'coverage_intervals', 'senders', 'sources'] as const) {
    await tx.deleteFrom(table).execute()
  }
  for (const [at, kind] of SOURCES.entries()) {
    const own = covered.filter(({ source }) => source === at).map(span)
    if (own.length === 0) continue
    const through = Math.max(...own.map(({ to_at }) => to_at))
    await tx
      .insertInto('sources')
      .values({
        id: `source-${at}`,
        site_id: SITE,
        ...kind,
        connection_status: 'live',
        is_primary: 1,
        moved_to: null,
        created_at: at,
        connected_at: at,
        data_through: through,
        has_statuses: 1,
      })
      .execute()
    const names = kind.source_type === 'https_intake' ? ['edge', 'origin'] : []
    for (const name of names) {
      const sender = { source_id: `source-${at}`, name, last_record_at: through, last_received_at: through }
      await tx
        .insertInto('senders')
        .values({ ...sender, retired_at: null })
        .execute()
    }
  }
  const rows = covered.map((one) => ({
    id: randomUUID(),
    site_id: SITE,
    source_id: `source-${one.source}`,
    host: one.host,
    ...span(one),
    quality: one.quality,
    reason: '',
    is_declared: one.is_declared,
    sampling: one.sampling,
    is_backfill: 0 as const,
    sender: SOURCES[one.source]?.source_type === 'https_intake' ? one.sender : '',
    silence_limit_ms: 0,
    silence_before_ms: 0,
    delivery_id: null,
  }))
  if (rows.length > 0) await tx.insertInto('coverage_intervals').values(rows).execute()
}

const covered: fc.Arbitrary<CoveredHours> = fc.record({
  source: fc.nat(SOURCES.length - 1),
  host: fc.constantFrom('*', 'www.example.com', 'shop.example.com', '*.example.com'),
  sender: fc.constantFrom('edge', 'origin'),
  hours_back: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 24 * 30 })),
  hours: fc.oneof(fc.integer({ min: 1, max: 24 }), fc.integer({ min: 1, max: 24 * 30 })),
  quality: fc.constantFrom('complete', 'partial'),
  sampling: fc.constantFrom(null, null, 0.1),
  is_declared: fc.constantFrom(0, 0, 1),
})

test('the source that counts the open day is the same as from all coverage', async () => {
  const control = await openSite()
  await fc.assert(
    fc.asyncProperty(fc.array(covered, { minLength: 2, maxLength: 12 }), async (intervals) => {
      await store(control, intervals)
      const expected = await control.transaction(async (tx) => countOpenDay(await readCoverageEvidence(tx, SITE), NOW))
      await control.transaction((tx) => withOpenDay(tx, SITE, NOW, async () => {}))
      const found = await control.db.selectFrom('open_day_winners').select(['host', 'source_id']).execute()
      const primaries = new Set(intervals.map(({ source }) => source)).size
      const byHost = (a: { host: string }, b: { host: string }) => (a.host < b.host ? -1 : 1)
      expect(found.sort(byHost)).toEqual(primaries > 1 ? expected.sort(byHost) : [])
    }),
    { numRuns: 60 },
  )
})

test('of sources that have delivered nothing yet none counts the open day', async () => {
  const control = await openSite()
  const sources = SOURCES.slice(0, 2).map((kind, at) => ({
    id: `source-${at}`,
    site_id: SITE,
    ...kind,
    connection_status: 'pending' as const,
    is_primary: 0 as const,
    created_at: at,
    connected_at: null,
    data_through: null,
    has_statuses: 0 as const,
  }))
  await control.db.insertInto('sources').values(sources).execute()
  expect(await control.transaction((tx) => withOpenDay(tx, SITE, NOW, async () => 'written'))).toBe('written')
  expect(await control.db.selectFrom('open_day_winners').selectAll().execute()).toEqual([])
})

test('coverage before yesterday takes one row for each source, host and sender', async () => {
  const control = await openSite()
  const older = Array.from({ length: 200 }, (_, at) => ({
    source: 0,
    host: 'www.example.com',
    sender: 'edge',
    hours_back: 24 * (at + 3),
    hours: 1,
    quality: 'complete' as const,
    sampling: null,
    is_declared: 0 as const,
  }))
  const recent = { ...(older[0] as CoveredHours), hours_back: 3, hours: 2 }
  await store(control, [...older, recent])
  const read = await control.transaction((tx) => readForOpenDay(tx, ['source-0', 'source-1'], NOW))
  const spans = read.map(({ from_at, to_at }) => ({ from_at, to_at })).sort((a, b) => a.from_at - b.from_at)
  expect(spans).toEqual([
    { from_at: NOW - 24 * 202 * HOUR_MS, to_at: NOW - 24 * 3 * HOUR_MS + HOUR_MS },
    { from_at: NOW - 3 * HOUR_MS, to_at: NOW - HOUR_MS },
  ])
  expect(spans[0]?.to_at).toBeLessThan(TODAY - DAY_MS)
})
