import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { DAY_MS, HOUR_MS } from '#clock.ts'
import {
  type CoverageInput,
  recordCoverage,
  recordReceipts,
  removeCoveredDays,
} from '#crawlers/coverage/record-coverage.ts'
import { dayStart } from '#days/utc-day.ts'
import { openTestControl, type TestControl } from '../../support/control.ts'
import { daysWalked } from '../../support/days-walked.ts'
import { addTestSource } from './sources.ts'

const start = Date.parse('2026-03-02T00:00:00Z')
let store: TestControl
let covered: CoverageInput

beforeEach(async () => {
  store = await openTestControl()
  const { site_id, id: source_id } = await addTestSource(store.control, { source_type: 'https_intake' })
  covered = { site_id, source_id, host: '*', quality: 'complete', reason: '', is_declared: 0, ranges: [] }
})
afterEach(() => store.remove())

const hours = (from: number, to: number, limit = 0) => [
  { from: start + from * HOUR_MS, to: start + to * HOUR_MS, silence_limit_ms: limit * HOUR_MS },
]
const record = (changes: Partial<CoverageInput>) =>
  store.control.transaction((tx) => recordCoverage(tx, { ...covered, ...changes }))
const written = async () => {
  const rows = await store.control.db.selectFrom('coverage_intervals').selectAll().orderBy('from_at').execute()
  return rows.map((row) => ({ ...row, from_at: (row.from_at - start) / HOUR_MS, to_at: (row.to_at - start) / HOUR_MS }))
}

describe('intervals merge on write (rules 3)', () => {
  test('only with those of the same sender, sampling and provenance', async () => {
    const kinds: Partial<CoverageInput>[] = [
      {},
      { sender: 'web1' },
      { quality: 'partial', reason: 'sampled', sampling: 0.1 },
      { quality: 'partial', reason: 'sampled', sampling: 0.25 },
      { quality: 'partial', reason: 'backfill', is_backfill: 1 },
    ]
    for (const kind of kinds) await record({ ...kind, ranges: hours(0, 1) })
    for (const kind of kinds) await record({ ...kind, ranges: hours(1, 2) })
    const rows = await written()
    expect(rows).toHaveLength(kinds.length)
    for (const row of rows) expect(row).toMatchObject({ from_at: 0, to_at: 2 })
    expect(rows.map((row) => [row.sender, row.sampling, row.is_backfill])).toEqual(
      expect.arrayContaining([
        ['', null, 0],
        ['web1', null, 0],
        ['', 0.1, 0],
        ['', 0.25, 0],
        ['', null, 1],
      ]),
    )
  })

  test('in every order of the uploads', async () => {
    const uploads = [hours(0, 10, 2), hours(9, 10.1, 0.5), hours(11.5, 20, 5), hours(24, 30, 3)]
    const seen = []
    for (const order of [uploads, uploads.toReversed(), [1, 2, 0, 3].map((at) => uploads[at] ?? [])]) {
      for (const ranges of order) await record({ ranges })
      seen.push((await written()).map(({ id: _, ...row }) => row))
      await store.control.db.deleteFrom('coverage_intervals').execute()
    }
    expect(seen[0]).toMatchObject([
      { from_at: 0, to_at: 20, silence_before_ms: 2 * HOUR_MS, silence_limit_ms: 5 * HOUR_MS },
      { from_at: 24, to_at: 30 },
    ])
    expect(seen[1]).toEqual(seen[0])
    expect(seen[2]).toEqual(seen[0])
  })

  test('a removed day does not change the coverage of the rest', async () => {
    const kind = { sender: 'web1', sampling: 0.5, quality: 'partial', reason: 'sampled', is_backfill: 1 } as const
    await record({ ...kind, ranges: hours(0, 72, 1) })
    await store.control.transaction((tx) => removeCoveredDays(tx, covered.source_id, new Set(['2026-03-03'])))
    expect(await written()).toMatchObject([
      { ...kind, from_at: 0, to_at: 24 },
      { ...kind, from_at: 48, to_at: 72 },
    ])
  })
})

describe('coverage far in the past or future does not visit the days between', () => {
  const upload = { quality: 'complete', reason: '', is_declared: 0 } as const
  const long_ago = dayStart('0001-01-01')
  const far_ahead = dayStart('9000-01-01')
  const line = (from: number) => ({ from, to: from + HOUR_MS, silence_limit_ms: 24 * HOUR_MS })

  test('receipts are noted for the days of lines', async () => {
    const ranges = [line(long_ago), line(start), line(far_ahead)]
    const days = await daysWalked(() =>
      store.control.transaction((tx) => recordReceipts(tx, { ...covered, ...upload, ranges }, start)),
    )
    const receipts = await store.control.db.selectFrom('day_receipts').select(['day', 'received_at']).execute()
    expect(receipts.sort((a, b) => (a.day < b.day ? -1 : 1))).toEqual([
      { day: '0001-01-01', received_at: start },
      { day: '2026-03-02', received_at: start },
      { day: '9000-01-01', received_at: start },
    ])
    expect(days).toBeLessThan(50)
  })

  test('receipts of as many days as may be declared are noted in a few statements', async () => {
    const declared = { from: start, to: start + 3_650 * DAY_MS, silence_limit_ms: 0 }
    const known = { ...covered, ...upload, ranges: [{ ...declared, to: start + 1_000 * DAY_MS }] }
    await store.control.transaction(async (tx) => {
      await recordReceipts(tx, known, 1)
      await recordCoverage(tx, known)
    })
    const statements = await store.control.transaction(async (tx) => {
      const inserted = vi.spyOn(tx, 'insertInto')
      await recordReceipts(tx, { ...known, ranges: [declared] }, 2)
      return inserted.mock.calls.length
    })
    // 2,650 new days and 1,000 that were known, 500 in each statement.
    expect(statements).toBe(8)
    const aged = await store.control.db
      .selectFrom('day_receipts')
      .select(({ fn }) => ['received_at', fn.countAll<number>().as('days')])
      .groupBy('received_at')
      .orderBy('received_at')
      .execute()
    expect(aged.map(({ received_at, days }) => [received_at, Number(days)])).toEqual([
      [1, 1_000],
      [2, 2_650],
    ])
  })

  test('days are cut out of intervals that span them', async () => {
    await record({ ranges: [{ from: long_ago, to: far_ahead, silence_limit_ms: 0 }] })
    const expired = new Set(['2026-03-02', '2026-03-03', '2026-03-10'])
    const days = await daysWalked(() =>
      store.control.transaction((tx) => removeCoveredDays(tx, covered.source_id, expired)),
    )
    expect(days).toBeLessThan(50)
    const [first, second, third, ...more] = await store.control.db
      .selectFrom('coverage_intervals')
      .select(['from_at', 'to_at'])
      .orderBy('from_at')
      .execute()
    expect(first).toEqual({ from_at: long_ago, to_at: dayStart('2026-03-02') })
    expect(second).toEqual({ from_at: dayStart('2026-03-04'), to_at: dayStart('2026-03-10') })
    expect(third).toEqual({ from_at: dayStart('2026-03-11'), to_at: far_ahead })
    expect(more).toEqual([])
  })
})
