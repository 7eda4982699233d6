import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { HOUR_MS } from '#clock.ts'
import { forgetDays, recordCoverage, type WatchedHost } from '#crawlers/coverage/record.ts'
import { openTestControl, type TestControl } from '../../support/control.ts'
import { addTestSource } from './sources.ts'

const start = Date.parse('2026-03-02T00:00:00Z')
let store: TestControl
let watched: WatchedHost

beforeEach(async () => {
  store = await openTestControl()
  const { site_id, id: source_id } = await addTestSource(store.control, { source_type: 'https_intake' })
  watched = { site_id, source_id, host: '*', quality: 'complete', reason: '', is_declared: 0, ranges: [] }
})
afterEach(() => store.remove())

const hours = (from: number, to: number, limit = 0) => [
  { from: start + from * HOUR_MS, to: start + to * HOUR_MS, silence_limit_ms: limit * HOUR_MS },
]
const record = (changes: Partial<WatchedHost>) =>
  store.control.transaction((tx) => recordCoverage(tx, { ...watched, ...changes }))
const written = async () => {
  const rows = await store.control.db.selectFrom('coverage_intervals').selectAll().orderBy('from_at').execute()
  return rows.map((row) => ({ ...row, from_at: (row.from_at - start) / HOUR_MS, to_at: (row.to_at - start) / HOUR_MS }))
}

describe('intervals merge on write (rules 3)', () => {
  test('only with those of the same sender, sampling and provenance', async () => {
    const kinds: Partial<WatchedHost>[] = [
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

  test('in whatever order the uploads come', async () => {
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

  test('a day taken out leaves the rest as it was watched', async () => {
    const kind = { sender: 'web1', sampling: 0.5, quality: 'partial', reason: 'sampled', is_backfill: 1 } as const
    await record({ ...kind, ranges: hours(0, 72, 1) })
    await store.control.transaction((tx) => forgetDays(tx, watched.source_id, new Set(['2026-03-03'])))
    expect(await written()).toMatchObject([
      { ...kind, from_at: 0, to_at: 24 },
      { ...kind, from_at: 48, to_at: 72 },
    ])
  })
})
