import { expect, test } from 'vitest'
import { timeLeft } from '../../cli/progress-bar.ts'

test.each([
  [0, 0, ''],
  [2_999, 0.5, ''],
  [60_000, 0.009, ''],
  [3_000, 0.5, ', some seconds left'],
  [20_000, 0.5, ', 20 s left'],
  [44_000, 0.5, ', 40 s left'],
  [90_000, 0.5, ', 2 min left'],
  [60_000, 0.01, ', 2 h left'],
  [60_000, 1, ', storing'],
  [60_000, 1.1, ', storing'],
])('after %i ms with %f read: "%s"', (elapsed, share, left) => {
  expect(timeLeft(elapsed, share)).toBe(left)
})
