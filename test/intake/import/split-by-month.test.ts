import { expect, test } from 'vitest'
import { pageSpans, splitByMonth } from '#intake/import/split-by-month.ts'

const day = (name: string, rows: number, through = 0, bytes = 0) => ({
  name,
  month: Number(name.slice(0, 7).replace('-', '')),
  rows,
  bytes,
  through,
})

test('days are committed together up to a number of rows, never over the end of a month, a large one alone', () => {
  const days = [
    day('2026-01-02', 40, 7),
    day('2026-01-05', 50, 9),
    day('2026-01-06', 11, 12),
    day('2026-01-31', 1, 20),
    day('2026-02-01', 1, 30),
    day('2026-02-02', 500, 41),
    day('2026-02-03', 1, 50),
  ]
  expect(splitByMonth(days, { rows: 100, bytes: 0 })).toEqual([
    { month: 202601, days: ['2026-01-02', '2026-01-05'], rows: 90, bytes: 0, through: 9 },
    { month: 202601, days: ['2026-01-06', '2026-01-31'], rows: 12, bytes: 0, through: 20 },
    { month: 202602, days: ['2026-02-01'], rows: 1, bytes: 0, through: 30 },
    { month: 202602, days: ['2026-02-02'], rows: 500, bytes: 0, through: 41 },
    { month: 202602, days: ['2026-02-03'], rows: 1, bytes: 0, through: 50 },
  ])
  expect(splitByMonth([])).toEqual([])
})

test('the names of pages of several steps and months are written at once, up to a number of rows', () => {
  const steps = splitByMonth(
    [
      day('2026-01-02', 40),
      day('2026-01-03', 50),
      day('2026-01-31', 60),
      day('2026-02-01', 40),
      day('2026-02-02', 500),
    ],
    { rows: 100, bytes: 0 },
  )
  expect(steps.map(({ rows }) => rows)).toEqual([90, 60, 40, 500])
  expect(pageSpans(steps, { rows: 150, bytes: 0 })).toEqual([
    { from_day: '2026-01-02', to_day: '2026-01-31' },
    { from_day: '2026-02-01', to_day: '2026-02-01' },
    { from_day: '2026-02-02', to_day: '2026-02-02' },
  ])
  expect(pageSpans(steps)).toEqual([{ from_day: '2026-01-02', to_day: '2026-02-02' }])
  expect(pageSpans([])).toEqual([])
})

test('long paths and agents are committed in smaller steps', () => {
  const days = [day('2026-01-02', 1, 0, 60), day('2026-01-03', 1, 0, 40), day('2026-01-04', 1, 0, 1)]
  const steps = splitByMonth(days, { rows: 100, bytes: 100 })
  expect(steps.map(({ days, bytes }) => [days.length, bytes])).toEqual([
    [2, 100],
    [1, 1],
  ])
  expect(pageSpans(steps, { rows: 100, bytes: 100 })).toHaveLength(2)
  expect(pageSpans(steps, { rows: 100, bytes: 101 })).toHaveLength(1)
})
