import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MINUTE_MS } from '#clock.ts'
import { mergeRanges } from '#crawlers/coverage/join-covered-time.ts'

describe('pieces of covered time over silences (rules 3)', () => {
  test('two uploads join over a silence that both call normal, and each edge keeps its own limit', () => {
    const merged = mergeRanges([
      { from: 0, to: 100, silence_limit_ms: 20 },
      { from: 115, to: 200, silence_limit_ms: 30 },
    ])
    expect(merged).toEqual([{ from: 0, to: 200, silence_before_ms: 20, silence_limit_ms: 30 }])
  })

  test('the more careful of two limits keeps two uploads apart', () => {
    const parts = [
      { from: 0, to: 100, silence_limit_ms: 20, silence_before_ms: 20 },
      { from: 125, to: 200, silence_limit_ms: 30, silence_before_ms: 30 },
    ]
    expect(mergeRanges(parts)).toEqual(parts)
  })

  test('a one-line upload inside a long one changes nothing', () => {
    const long = { from: 0, to: 1000, silence_limit_ms: 500, silence_before_ms: 500 }
    expect(mergeRanges([long, { from: 400, to: 401, silence_limit_ms: 60 }])).toEqual([long])
  })

  test('parts that a later part makes joinable are joined, however early they are', () => {
    const parts = [
      { from: 0, to: 100, silence_limit_ms: 500 },
      { from: 150, to: 160, silence_limit_ms: 5 },
      { from: 200, to: 210, silence_limit_ms: 110 },
    ]
    expect(mergeRanges(parts)).toMatchObject([{ from: 0, to: 210 }])
  })

  test('the order and the steps in which uploads arrive never decide what they cover', () => {
    const upload = fc
      .record({
        from: fc.integer({ min: 0, max: 6 * 24 * 60 }),
        length: fc.integer({ min: 1, max: 36 * 60 }),
        limit: fc.integer({ min: 0, max: 24 * 60 }),
      })
      .map(({ from, length, limit }) => ({
        from: from * MINUTE_MS,
        to: (from + length) * MINUTE_MS,
        silence_limit_ms: limit * MINUTE_MS,
      }))
    const shuffled = fc
      .array(upload, { maxLength: 8 })
      .chain((uploads) => fc.tuple(fc.constant(uploads), fc.shuffledSubarray(uploads, { minLength: uploads.length })))
    fc.assert(
      fc.property(shuffled, ([uploads, order]) => {
        let stepByStep = mergeRanges([])
        for (const next of order) stepByStep = mergeRanges(stepByStep.concat(mergeRanges([next])))
        expect(stepByStep).toEqual(mergeRanges(uploads))
      }),
      { numRuns: 2_000 },
    )
  })
})
