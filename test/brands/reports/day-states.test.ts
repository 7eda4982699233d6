import { expect, test } from 'vitest'
import { completenessOf, dayStates } from '#brands/reports/day-states.ts'
import type { RunRow } from '#brands/reports/report-rows.ts'

const run = (on_day: string, state: RunRow['state'], is_of_country = 1): RunRow => ({
  engine: 'chatgpt',
  on_day,
  state,
  is_of_country,
  web_search: 'unknown',
  answers: 1,
})
const scan = (day: string) => ({ engine: 'chatgpt' as const, day, not_run: 0, is_answered_later: false })

test('a gap is a day on which a scan was due and nothing was answered (account API 2.2)', () => {
  const window = { from: '2026-03-01', to: '2026-03-07' }
  const runs = [
    ...[run('2026-03-01', 'answered'), run('2026-03-02', 'failed'), run('2026-03-03', 'refused')],
    ...[run('2026-03-05', 'answered', 0), run('2026-03-06', 'answered')],
  ]
  const scans = ['2026-03-01', '2026-03-02', '2026-03-04', '2026-03-05', '2026-03-07'].map(scan)
  const states = dayStates(window, { runs, scans, today: '2026-03-07' })
  expect([...states.values()]).toEqual([
    // The third was refused in an import, the fifth answered without the country of the filter, the seventh is today.
    ...['answered', 'gap', 'not_asked', 'gap', 'gap', 'answered', 'not_asked'],
  ])
  const counts = { answered: 2, refused: 1, failed: 0, scheduled_not_run: 0, country_not_applied: 1 }
  expect(completenessOf(counts, new Map([['chatgpt', states]]), [])).toEqual({
    state: 'partial',
    gaps: [
      { engine: 'chatgpt', from: '2026-03-02', to: '2026-03-02' },
      { engine: 'chatgpt', from: '2026-03-04', to: '2026-03-05' },
    ],
    limitations: [],
  })
})

test('a scan that was answered after midnight leaves no gap: its answers count on the day they arrived', () => {
  const window = { from: '2026-03-01', to: '2026-03-02' }
  const scans = [{ ...scan('2026-03-01'), is_answered_later: true }]
  const states = dayStates(window, { runs: [run('2026-03-02', 'answered')], scans, today: '2026-03-03' })
  expect([...states.values()]).toEqual(['not_asked', 'answered'])
})
