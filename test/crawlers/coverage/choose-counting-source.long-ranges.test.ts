/**
 * A first line of long ago, or a clock far ahead, costs no walk over the days between: work is counted in days that are
 * spelled out.
 */
import { describe, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from '#clock.ts'
import type { SourceRow } from '#control/tables.ts'
import { openChains } from '#crawlers/authority/counting-chain.ts'
import { countDays, isCoveredThroughout } from '#crawlers/coverage/choose-counting-source.ts'
import type { CoverageRecord, Interval } from '#crawlers/coverage/source-groups.ts'
import { dayStart, utcDay } from '#days/utc-day.ts'
import { describeSources } from '#sources/describe-source.ts'
import { daysWalked } from '../../support/days-walked.ts'
import { testSource } from './sources.ts'

const interval = (over: Partial<Interval>): Interval => ({
  source_id: 's',
  host: '*',
  from_at: 0,
  to_at: DAY_MS,
  quality: 'complete',
  ...over,
})
const evidence = (source: SourceRow, intervals: Interval[]) =>
  ({
    sources: [source],
    intervals,
    senders: [],
    expired: [],
    unreadable: [],
    zones: [],
    failed_hours: [],
  }) as unknown as Parameters<typeof describeSources>[0]

describe.each([
  ['a first line of 1900 under today’s clock', '1900-01-01', '2026-03-10T12:00:00Z'],
  ['a first line of 1970 under a clock of 2036', '1970-01-01', '2036-03-10T12:00:00Z'],
  ['a first line of this year under a clock of 9000', '2026-01-01', '9000-03-10T12:00:00Z'],
  ['a first line of the year 1 under a clock of 9000', '0001-01-01', '9000-03-10T12:00:00Z'],
])('%s', (_name, first, now) => {
  const from = dayStart(first)
  const asOf = Date.parse(now)
  const source = testSource({ id: 's', connected_at: from, data_through: asOf - HOUR_MS })
  const whole = [interval({ from_at: from, to_at: asOf - HOUR_MS })]
  const broken = [interval({ from_at: from, to_at: from + DAY_MS }), interval({ from_at: asOf - DAY_MS, to_at: asOf })]

  test('describes a source', async () => {
    const days = await daysWalked(() => {
      expect(describeSources(evidence(source, whole), asOf)[0]).toMatchObject({
        evidence_from: first,
        completeness: 'complete',
      })
      expect(describeSources(evidence(source, broken), asOf)[0]).toMatchObject({ completeness: 'partial' })
    })
    // Reasons are looked for in the last 30 days only.
    expect(days).toBeLessThan(400)
  })

  test('finds who counts a host, and who did before', async () => {
    const other = testSource({ id: 'other', connected_at: from + 1, data_through: asOf })
    const record: CoverageRecord = {
      sources: [source, other],
      senders: [],
      expired: [],
      zones: [],
      intervals: [broken[0] as Interval, interval({ source_id: 'other', from_at: asOf - DAY_MS, to_at: asOf })],
    }
    const days = await daysWalked(() => {
      expect(openChains(record, asOf)('example.com')).toEqual([
        { lead_source_id: 's', from: first },
        { lead_source_id: 'other', from: utcDay(asOf - DAY_MS) },
      ])
    })
    expect(days).toBeLessThan(100)
  })
})

test('a source is covered throughout exactly when each of its days is complete', () => {
  const asOf = Date.parse('2026-03-10T12:00:00Z')
  const start = dayStart('2026-03-04')
  // The same numbers in every run.
  let state = 7
  const below = (limit: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >> 8) % limit
  }
  const seen = { true: 0, false: 0 }
  for (let round = 0; round < 3_000; round++) {
    const through = asOf - below(4) * HOUR_MS
    const intervals = Array.from({ length: 1 + below(3) }, () => {
      const from_at = start + below(8) * 12 * HOUR_MS
      const host = ['*', '*', 'a.example.com'][below(3)] as string
      const to_at = below(2) === 0 ? through : from_at + (1 + below(12)) * 12 * HOUR_MS
      return interval({ host, from_at, to_at, quality: below(5) === 0 ? 'partial' : 'complete' })
    }).filter(({ from_at, to_at }) => from_at < Math.min(to_at, asOf))
    if (intervals.length === 0) continue
    const source = testSource({ id: 's', connected_at: 0, data_through: through })
    const record = { intervals, senders: [], expired: [], zones: [] }
    const first = utcDay(Math.min(...intervals.map(({ from_at }) => from_at)))
    const range = { from: first, to: utcDay(asOf) }
    const { states } = countDays({ ...record, sources: [source] }, range, asOf)
    const expected = [...states.values()].every((one) => one === 'complete')
    const found = isCoveredThroughout({ ...record, source }, range, asOf)
    expect([round, found], JSON.stringify(intervals)).toEqual([round, expected])
    seen[`${found}`]++
  }
  expect(Math.min(seen.true, seen.false)).toBeGreaterThan(100)
})
