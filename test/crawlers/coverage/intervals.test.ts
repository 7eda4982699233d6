import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { intersection, mergeStretches, reach, union } from '#crawlers/coverage/intervals.ts'

const stretch = fc
  .record({ from: fc.integer({ min: 0, max: 200 }), length: fc.integer({ min: 1, max: 30 }) })
  .map(({ from, length }) => ({ from, to: from + length }))

const points = (stretches: readonly { from: number; to: number }[]) => {
  const held = new Set<number>()
  for (const part of stretches) for (let at = part.from; at < part.to; at++) held.add(at)
  return held
}

describe('arithmetic of watched time', () => {
  test('a union holds the same points, disjoint and ascending', () => {
    fc.assert(
      fc.property(fc.array(stretch), (parts) => {
        const merged = union(parts)
        expect(points(merged)).toEqual(points(parts))
        for (let i = 1; i < merged.length; i++) expect(merged[i]?.from).toBeGreaterThan(merged[i - 1]?.to as number)
      }),
    )
  })

  test('an intersection holds just the points of both', () => {
    fc.assert(
      fc.property(fc.array(stretch), fc.array(stretch), (a, b) => {
        const both = intersection(union(a), union(b))
        expect(points(both)).toEqual(points(a).intersection(points(b)))
      }),
    )
  })

  test('a span lies inside, touched or apart', () => {
    fc.assert(
      fc.property(fc.array(stretch), stretch, (parts, span) => {
        const held = points(parts)
        const wanted = points([span])
        const shared = wanted.intersection(held).size
        const expected = shared === wanted.size ? 'inside' : shared > 0 ? 'touched' : 'apart'
        expect(reach(union(parts), span)).toBe(expected)
      }),
    )
  })

  test('two uploads join over a silence that both call normal', () => {
    const merged = mergeStretches([
      { from: 0, to: 100, silence_limit_ms: 20 },
      { from: 115, to: 200, silence_limit_ms: 30 },
    ])
    expect(merged).toEqual([{ from: 0, to: 200, silence_limit_ms: 20 }])
  })

  test('the more careful of two limits keeps two uploads apart', () => {
    const parts = [
      { from: 0, to: 100, silence_limit_ms: 20 },
      { from: 125, to: 200, silence_limit_ms: 30 },
    ]
    expect(mergeStretches(parts)).toEqual(parts)
  })

  test('a one-line upload inside a long one changes nothing', () => {
    const long = { from: 0, to: 1000, silence_limit_ms: 500 }
    expect(mergeStretches([long, { from: 400, to: 401, silence_limit_ms: 60 }])).toEqual([long])
  })
})
