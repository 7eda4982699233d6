import { expect, test } from 'vitest'
import { nextAttemptAt } from '#alerts/attempt.ts'
import { HOUR_MS } from '#clock.ts'

const delays = (random: () => number) => Array.from({ length: 9 }, (_, at) => nextAttemptAt(at + 1, 0, random))

test('attempts follow after 5 s, 1, 5, 30 min, 2, 5, 10, 14 h, and there are nine (rules 8.6)', () => {
  const seconds = delays(() => 0.5).map((delay) => (delay === null ? null : delay / 1_000))
  expect(seconds).toEqual([5, 60, 300, 1_800, 7_200, 18_000, 36_000, 50_400, null])
})

test('each delay is up to a tenth shorter or longer', () => {
  expect(delays(() => 0)[0]).toBe(4_500)
  expect(delays(() => 0.999_999)[7]).toBeCloseTo(15.4 * HOUR_MS, -3)
})
