import { expect, test } from 'vitest'
import type { DayEvidence } from '../../../../dashboard/evidence/day.ts'
import { daysOfMetric } from '../../../../dashboard/pages/overview/metrics.ts'

const evidence = { minutes: null, reasons: [], sampling: null, elapsed: null, collector: 'tracker' as const }
const DAYS: DayEvidence[] = [
  { ...evidence, date: '2026-03-08', state: 'partial', words: 'all visitors opted out of being counted' },
  { ...evidence, date: '2026-03-09', state: 'complete' },
  { ...evidence, date: '2026-03-10', state: 'complete' },
]
const counted = { visitor_days: 1, sessions: 1, pageviews: 1 }
const TREND = [
  { day: '2026-03-08', visitor_days: null, sessions: null, pageviews: null, conversions: null },
  { day: '2026-03-09', ...counted, conversions: null },
  { day: '2026-03-10', ...counted, conversions: 0 },
]

test('a day without conversions says that none was in force, and a day without any number why it has none', () => {
  const words = (metric: 'conversions' | 'sessions') =>
    daysOfMetric(DAYS, metric, { trend: TREND }).map(({ state, words }) => [state, words])
  const opted_out = ['gap', 'all visitors opted out of being counted']
  expect(words('conversions')).toEqual([opted_out, ['gap', 'no conversion was in force'], ['complete', undefined]])
  expect(words('sessions')).toEqual([opted_out, ['complete', undefined], ['complete', undefined]])
})
