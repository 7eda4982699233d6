import { describe, expect, test } from 'vitest'
import { csvOf, csvOfTracker, csvText, written as writtenRows } from '../../../dashboard/tables/csv.ts'
import { pageColumn } from '../../../dashboard/tables/page-columns.tsx'
import type { Column } from '../../../dashboard/tables/table-types.ts'

const columns = [{ csv: { name: 'path', value: (path: string) => path } }] as unknown as Column<string>[]
const window = { from: '2026-03-01', to: '2026-03-03' }
const gaps = [
  { from: '2026-03-01', to: '2026-03-01' },
  { from: '2026-03-03', to: '2026-03-03' },
]
const written = (csv: string) => {
  const [names = '', ...rows] = csv.trimEnd().split('\r\n')
  return rows.map((row) => Object.fromEntries(names.split(',').map((name, at) => [name, row.split(',')[at]])))
}

describe('rows of the dashboard as CSV', () => {
  test('name unobserved days, for crawlers and for visitors', () => {
    const of_days = { as_of: '2026-03-03T12:00:00.000Z', data_through: null, window }
    const crawlers = { ...of_days, coverage_state: 'partial', purpose_filter: ['search'], registry_version: null, gaps }
    const [page] = written(csvOf(crawlers as unknown as Parameters<typeof csvOf>[0], columns, ['/a']))
    const expected = { data_through: 'null', gaps: '2026-03-01/2026-03-01 2026-03-03/2026-03-03', path: '/a' }
    expect(page).toMatchObject({ ...expected, coverage_state: 'partial' })
    const visits = { ...of_days, measurement_state: 'measured', completeness: { gaps, limitations: [] } }
    const [visit] = written(csvOfTracker(visits as unknown as Parameters<typeof csvOfTracker>[0], columns, ['/a']))
    expect(visit).toMatchObject(expected)
  })

  test('keep null apart from text, quote by RFC 4180, and hold no formula', () => {
    expect(csvText([[null, 'null', 0, 'a"b', 'a,b', '=1+1', '-x', '@y']])).toBe(
      'null,"null",0,"a""b","a,b",\'=1+1,\'-x,\'@y\r\n',
    )
  })
})

test('rows of one day name it, since their window is longer', () => {
  const answer = { as_of: '2026-03-03T12:00:00.000Z', data_through: null, window, gaps: [], purpose_filter: [] }
  const meta = answer as unknown as Parameters<typeof csvOf>[0]
  expect(written(csvOf(meta, columns, ['/a'], '2026-03-02'))).toMatchObject([{ date: '2026-03-02', path: '/a' }])
  expect(csvOf(meta, columns, ['/a'])).not.toContain('date')
})

test('pages of several hosts can be distinguished', () => {
  const page = pageColumn<{ host: string; path: string }>({ of: (row) => row })
  expect(writtenRows([], [page], [{ host: 'a.example', path: '/' }])).toBe('host,path\r\na.example,/\r\n')
})

test('a column that shows an interval writes both of its ends', () => {
  const interval = {
    key: 'interval',
    head: '95 % interval',
    cell: () => null,
    csv: [
      { name: 'low', value: () => 0.33 },
      { name: 'high', value: () => null },
    ],
  }
  expect(writtenRows([], [interval], [{}])).toBe('low,high\r\n0.33,null\r\n')
})
