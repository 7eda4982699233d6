import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { intersection, overlap, union } from '#days/intervals.ts'

const range = fc
  .record({ from: fc.integer({ min: 0, max: 200 }), length: fc.integer({ min: 1, max: 30 }) })
  .map(({ from, length }) => ({ from, to: from + length }))

const points = (ranges: readonly { from: number; to: number }[]) => {
  const held = new Set<number>()
  for (const part of ranges) for (let at = part.from; at < part.to; at++) held.add(at)
  return held
}

describe('arithmetic of covered time', () => {
  test('a union has the same points, disjoint and ascending', () => {
    fc.assert(
      fc.property(fc.array(range), (parts) => {
        const merged = union(parts)
        expect(points(merged)).toEqual(points(parts))
        for (let i = 1; i < merged.length; i++) expect(merged[i]?.from).toBeGreaterThan(merged[i - 1]?.to as number)
      }),
    )
  })

  test('an intersection has exactly the points of both', () => {
    fc.assert(
      fc.property(fc.array(range), fc.array(range), (a, b) => {
        const both = intersection(union(a), union(b))
        expect(points(both)).toEqual(points(a).intersection(points(b)))
      }),
    )
  })

  test('a span is inside, touched or apart', () => {
    fc.assert(
      fc.property(fc.array(range), range, (parts, span) => {
        const held = points(parts)
        const wanted = points([span])
        const shared = wanted.intersection(held).size
        const expected = shared === wanted.size ? 'inside' : shared > 0 ? 'touched' : 'apart'
        expect(overlap(union(parts), span)).toBe(expected)
      }),
    )
  })
})
