import { expect, test } from 'vitest'
import { chartDays, dayChart, peakOf } from '../../../cli/report/day-chart.ts'

const window = { from: '2026-03-01', to: '2026-03-06' }
const rows = [
  { date: '2026-03-01', observed_request_count: 8 },
  { date: '2026-03-02', observed_request_count: 1 },
  { date: '2026-03-05', observed_request_count: 3 },
  { date: '2026-03-05', observed_request_count: 1 },
]
const gaps = [{ from: '2026-03-03', to: '2026-03-03' }]

test('a day without evidence is a gap, and a covered day without requests is not', () => {
  const days = chartDays({ window, gaps, is_unknown: false }, rows)
  expect(days.map(({ count }) => count)).toEqual([8, 1, null, 0, 4, 0])
  expect(dayChart(days, 10)).toBe('█▁░·▄·')
})

test('what no source has ever reported is unknown on every day', () => {
  expect(dayChart(chartDays({ window, gaps: [], is_unknown: true }, []), 10)).toBe('░░░░░░')
})

test('several days in one block are their mean over the known ones; a gap only where none is known', () => {
  const days = chartDays({ window, gaps, is_unknown: false }, rows)
  expect(dayChart(days, 3)).toBe('█·▄')
  const both = [{ from: '2026-03-03', to: '2026-03-04' }]
  expect(dayChart(chartDays({ window, gaps: both, is_unknown: false }, rows), 3)).toBe('█░▄')
})

test('the smallest count is never drawn as nothing', () => {
  const days = [
    { day: '2026-03-01', count: 1 },
    { day: '2026-03-02', count: 1_000_000 },
  ]
  expect(dayChart(days, 2)).toBe('▁█')
  expect(dayChart(days.slice(0, 1), 1, 1_000_000)).toBe('▁')
})

test('the peak is the first of the highest days', () => {
  expect(peakOf(chartDays({ window, gaps, is_unknown: false }, rows))).toEqual({ day: '2026-03-01', count: 8 })
  expect(peakOf([{ day: '2026-03-01', count: null }])).toBeNull()
})
