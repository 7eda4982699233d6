import { expect, test } from 'vitest'
import { wilsonInterval } from '#brands/reports/wilson.ts'

test.each([
  // Newcombe 1998, "Two-sided confidence intervals for the single proportion", table I, method 3.
  [81, 263, 0.2553, 0.3662],
  [15, 148, 0.0624, 0.1605],
  [0, 20, 0, 0.1611],
  [1, 29, 0.0061, 0.1718],
  // Brown, Cai, DasGupta 2001, and mirrored.
  [0, 10, 0, 0.2775],
  [10, 10, 0.7225, 1],
  [5, 10, 0.2366, 0.7634],
])('the interval of %i in %i is the published one', (count, n, low, high) => {
  const interval = wilsonInterval(count / n, n)
  expect(interval.low).toBeCloseTo(low, 4)
  expect(interval.high).toBeCloseTo(high, 4)
})

test('a proportion is within its own interval for every size', () => {
  for (const n of [1, 1.7, 3, 50, 1e6]) {
    for (const p of [0, 1 / 3, 0.5, 0.999, 1]) {
      const { low, high } = wilsonInterval(p, n)
      expect(low).toBeLessThanOrEqual(p)
      expect(high).toBeGreaterThanOrEqual(p)
      expect(low).toBeGreaterThanOrEqual(0)
      expect(high).toBeLessThanOrEqual(1)
    }
  }
})
