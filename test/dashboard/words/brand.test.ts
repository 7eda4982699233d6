import { expect, test } from 'vitest'
import { costText } from '../../../dashboard/words/brand.ts'

test('a cost of more than nothing is never shown as zero', () => {
  expect([0, 12_300_000, 100_000, 12_300, 100, 30, 1].map((micros) => costText(micros))).toEqual([
    ...['$0.00', '$12.30', '$0.10', '$0.0123', '$0.0001', '$0.000030', '$0.000001'],
  ])
})
