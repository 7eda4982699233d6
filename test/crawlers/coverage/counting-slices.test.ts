import { expect, test } from 'vitest'
import { type CountingSlice, daysCountedBy } from '#crawlers/coverage/counting-slices.ts'

const days = (from: string, to: string) => ({ from: `2026-03-${from}`, to: `2026-03-${to}` })
const named = ['shop.example.com']
const SLICES: CountingSlice[] = [
  { source_ids: ['a'], hosts: null, days: [days('09', '10')] },
  { source_ids: ['a'], hosts: { except: ['*.example.com'], named }, days: [days('01', '02')] },
  { source_ids: ['b', 'c'], hosts: { only: ['*.example.com'], named }, days: [days('01', '02'), days('05', '05')] },
]

test.each([
  { host: 'example.com', of_a: [days('01', '02'), days('09', '10')], of_b: [] },
  { host: 'www.example.com', of_a: [days('09', '10')], of_b: [days('01', '02'), days('05', '05')] },
  { host: 'shop.example.com', of_a: [days('01', '02'), days('09', '10')], of_b: [] },
])('days on which $host is counted are those of its slices', ({ host, of_a, of_b }) => {
  expect(daysCountedBy(SLICES, { source_ids: ['a'] }, host)).toEqual(of_a)
  expect(daysCountedBy(SLICES, { source_ids: ['c', 'b'] }, host)).toEqual(of_b)
  expect(daysCountedBy(SLICES, { source_ids: ['d'] }, host)).toEqual([])
})
