import { expect, test } from 'vitest'
import { studentQuantile } from '#brands/reports/student-t.ts'

test.each([
  // NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2.
  [0.975, 1, 12.706],
  [0.975, 2, 4.303],
  [0.975, 4, 2.776],
  [0.975, 5, 2.571],
  [0.975, 9, 2.262],
  [0.975, 10, 2.228],
  [0.975, 20, 2.086],
  [0.975, 30, 2.042],
  [0.975, 60, 2],
  [0.975, 100, 1.984],
  [0.95, 10, 1.812],
  [0.99, 7, 2.998],
  [0.999, 3, 10.215],
])('the quantile %d with %i degrees of freedom is the published one', (p, df, published) => {
  expect(studentQuantile(p, df)).toBeCloseTo(published, 3)
})

test('many degrees of freedom come close to the normal distribution', () => {
  expect(studentQuantile(0.975, 1_000_000)).toBeCloseTo(1.959966, 5)
})
