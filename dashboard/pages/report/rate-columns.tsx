import { Value } from '../../evidence/value.tsx'
import type { Column } from '../../tables/table-types.ts'
import { ENGINE_WORDS } from '../../words/brand.ts'
import { spanText } from '../../words/days.ts'
import { fullCount, interval, percent } from '../../words/numbers.ts'
import type { SeriesRow } from './points.ts'

const STATE_WORDS: Record<SeriesRow['state'], string> = {
  answered: 'answered',
  gap: 'no answered run',
  not_asked: 'not asked',
  so_far: 'so far',
}

/** The columns of the table and the CSV of rates. */
export const RATE_COLUMNS: Column<SeriesRow>[] = [
  {
    key: 'days',
    head: 'Dates',
    cell: ({ from, to }) => spanText(from, to),
    csv: [
      { name: 'from', value: ({ from }) => from },
      { name: 'to', value: ({ to }) => to },
    ],
  },
  {
    key: 'engine',
    head: 'Engine',
    phone: 'tag',
    cell: ({ engine }) => (engine === null ? 'All' : (ENGINE_WORDS[engine] ?? engine)),
    csv: { name: 'engine', value: ({ engine }) => engine },
  },
  {
    key: 'visibility',
    head: 'Visibility',
    is_number: true,
    phone: 'value',
    cell: ({ metrics: { visibility } }) => <Value value={visibility.value} format={percent} />,
    csv: { name: 'visibility', value: ({ metrics }) => metrics.visibility.value },
  },
  {
    key: 'interval',
    head: '95 % interval',
    is_number: true,
    csv: [
      { name: 'visibility_low', value: ({ metrics }) => metrics.visibility.low },
      { name: 'visibility_high', value: ({ metrics }) => metrics.visibility.high },
    ],
    cell: ({ metrics: { visibility } }) =>
      visibility.low === null || visibility.high === null ? '' : interval(visibility.low, visibility.high),
  },
  {
    key: 'n',
    head: 'Naming it',
    is_number: true,
    cell: ({ metrics: { visibility } }) => `${fullCount(visibility.numerator)} of ${fullCount(visibility.denominator)}`,
    csv: { name: 'numerator', value: ({ metrics }) => metrics.visibility.numerator },
  },
  {
    key: 'denominator',
    head: 'Answers',
    is_number: true,
    phone: 'hidden',
    cell: ({ runs }) => <Value value={runs.answered} />,
    csv: { name: 'denominator', value: ({ metrics }) => metrics.visibility.denominator },
  },
  {
    key: 'evidence',
    head: 'Evidence',
    phone: 'bar',
    cell: ({ state }) => STATE_WORDS[state] ?? state,
    csv: { name: 'state', value: ({ state }) => state },
  },
]
