import { expect, test } from 'vitest'
import { countOf, formatCount, formatSize, nameSome } from '#quantities.ts'

test('counts have separators of thousands, and their noun agrees with them', () => {
  expect([0, 999, 1_000, 1_234_567].map(formatCount)).toEqual(['0', '999', '1,000', '1,234,567'])
  expect([countOf(1, 'site'), countOf(0, 'site'), countOf(12_000, 'entry', 'entries')]).toEqual([
    '1 site',
    '0 sites',
    '12,000 entries',
  ])
})

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [1_023, '1,023 bytes'],
  [1_024, '1 KiB'],
  [1_536, '1.5 KiB'],
  [1_023 * 1_024, '1,023 KiB'],
  // Rounded it would be 1,024 KiB.
  [1_024 ** 2 - 1, '1 MiB'],
  [23.44 * 1_024 ** 3, '23.4 GiB'],
  [5_000 * 1_024 ** 4, '5,000 TiB'],
])('%d bytes are %s', (bytes, text) => {
  expect(formatSize(bytes)).toBe(text)
})

test('a list that is cut says how many are missing', () => {
  const names = Array.from({ length: 20 }, (_, index) => `n${index}`)
  expect(nameSome(names)).toBe('n0, n1, n2, n3, n4 and 15 more')
  expect(nameSome(names.slice(0, 5))).toBe('n0, n1, n2, n3, n4')
  expect(nameSome(names, 1)).toBe('n0 and 19 more')
  expect(nameSome([])).toBe('')
})
