import { expect, test } from 'vitest'
import { InvalidRequest } from '#brands/invalid-request.ts'
import { MAX_ANSWERS_READ, refuseMuchData } from '#brands/reports/refuse-much-data.ts'

test('more than 5 million answers are too much, and the message says what to narrow', () => {
  expect(() => refuseMuchData(MAX_ANSWERS_READ)).not.toThrow()
  const refused = () => refuseMuchData(MAX_ANSWERS_READ + 1)
  expect(refused).toThrow(InvalidRequest)
  expect(refused).toThrow(
    expect.objectContaining({
      faults: [{ path: ['from'], code: 'too_much_data', message: expect.stringMatching(/5,000,001.*fewer days/) }],
    }),
  )
})
