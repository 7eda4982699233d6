import { describe, expect, test } from 'vitest'
import { coversRange } from '#intake/import/import-options.ts'
import { daysWalked } from '../../support/days-walked.ts'

describe('--covers', () => {
  test('accepts as many days as a site may keep, and no more', async () => {
    const days = await daysWalked(() => {
      expect(coversRange('2016-03-13/2026-03-10')).toEqual({ from: '2016-03-13', to: '2026-03-10' })
      expect(() => coversRange('2016-03-12/2026-03-10')).toThrow(/spans 3,651 days; at most 3,650 are allowed/)
      expect(() => coversRange('0001-01-01/9999-12-31')).toThrow(/at most 3,650 are allowed/)
    })
    expect(days).toBeLessThan(50)
  })

  test.each([
    ['2026-02-30/2026-03-10', /names a day that does not exist/],
    ['2026-03-10', /is not a range/],
    ['2026-03-10/2026-03-09', /ends before it begins/],
    ['2026-03-01/2026-03-02/2026-03-03', /is not a range/],
  ])('refuses %s', (text, why) => {
    expect(() => coversRange(text)).toThrow(why)
  })
})
