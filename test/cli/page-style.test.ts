import { expect, test } from 'vitest'
import {
  type Column,
  columnsText,
  cutEnd,
  cutList,
  cutMiddle,
  labelled,
  rangeText,
  shareText,
} from '../../cli/page-style.ts'

const ESC = String.fromCharCode(27)
const plain = { width: 40, is_coloured: false }
const columns: Column<{ page: string; count: string }>[] = [
  { heading: 'Page', cell: ({ page }: { page: string }) => page, fills: cutMiddle },
  { heading: 'Requests', cell: ({ count }: { count: string }) => count, is_number: true },
]

test('no line is longer than the page, and numbers end at the same place', () => {
  const rows = [
    { page: `/${'very-'.repeat(20)}long/end`, count: '1' },
    { page: '/', count: '1,000' },
  ]
  const lines = columnsText(plain, rows, columns)
  expect(lines.map((line) => line.length)).toEqual([40, 40, 40])
  expect(lines[1]).toMatch(/^\/very-.*….*long\/end {9}1$/)
})

test('a last column that is too long continues on lines below, and uses the width that the others leave', () => {
  const statuses: Column<{ page: string; statuses: string }>[] = [
    { heading: 'Page', cell: ({ page }) => page, fills: cutMiddle },
    { heading: 'Statuses', cell: ({ statuses }) => statuses, wraps: 17 },
  ]
  const long = { page: `/${'x'.repeat(30)}`, statuses: '200: 308, 304: 12, 503: 3' }
  expect(columnsText(plain, [long], statuses)).toEqual([
    'Page                   Statuses',
    '/xxxxxxxxx…xxxxxxxxxx  200: 308, 304: 12',
    '                       503: 3',
  ])
  expect(columnsText(plain, [{ ...long, page: '/' }], statuses)).toEqual([
    'Page      Statuses',
    '/         200: 308, 304: 12, 503: 3',
  ])
})

test('colour changes nothing but escape codes', () => {
  const rows = [{ page: '/', count: '1' }]
  const coloured = columnsText({ ...plain, is_coloured: true }, rows, columns)
  expect(coloured.join('\n')).toContain(`${ESC}[2m`)
  expect(coloured.map((line) => line.replaceAll(`${ESC}[2m`, '').replaceAll(`${ESC}[0m`, ''))).toEqual(
    columnsText(plain, rows, columns),
  )
})

test('foreign text stays on its line and cannot control the terminal', () => {
  const [, line] = columnsText(plain, [{ page: '/a\n\u{1b}[31m/b', count: '1' }], columns)
  expect(line).toMatch(/^\/a\u{fffd}\u{fffd}\[31m\/b/u)
})

test('a text beside a label is wrapped there', () => {
  expect(labelled(plain, 'Sources', 'uploaded logs, live: partial since then')).toEqual([
    'Sources       uploaded logs, live:',
    '              partial since then',
  ])
})

test('a list is cut between its members', () => {
  expect([24, 23, 20].map((width) => cutList('200: 28, 304: 12, 404: 9', width))).toEqual([
    '200: 28, 304: 12, 404: 9',
    '200: 28 and 2 more',
    '200: 28 and 2 more',
  ])
  expect([cutList('200: 1,000,000, 304: 1', 10), cutList('200: 1,000,000, 304: 1', 4)]).toEqual(['2 of them', '2 o…'])
})

test('cut texts end or part with an ellipsis, a small share is not 0%, and a range names a shared year once', () => {
  expect([cutMiddle('abcdefgh', 5), cutEnd('abcdefgh', 5), cutEnd('abc', 5)]).toEqual(['ab…gh', 'abcd…', 'abc'])
  expect([shareText(0), shareText(0.001), shareText(0.346), shareText(1)]).toEqual(['0%', '<1%', '35%', '100%'])
  expect(rangeText({ from: '2025-12-30', to: '2026-01-02' })).toBe('30 Dec 2025 to 2 Jan 2026')
  expect(rangeText({ from: '2026-01-01', to: '2026-01-02' })).toBe('1 Jan to 2 Jan 2026')
})
