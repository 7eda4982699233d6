import { expect, test } from 'vitest'
import { dayColumns } from '../../../../dashboard/charts/days/day-table.tsx'

const series = (key: string) => ({ key, label: key, color: '', mark: 'square' as const, counts: new Map() })
const values = (keys: readonly string[], total_label?: null) =>
  dayColumns(keys.map(series), total_label).flatMap(({ key, phone }) => (phone === 'value' ? [key] : []))

test('on phones, the number of a day is in the first line of its row: that of the only series, or their sum', () => {
  expect(values(['sessions'], null)).toEqual(['sessions'])
  expect(values(['search'])).toEqual(['total'])
  expect(values(['search', 'training'])).toEqual(['total'])
})
