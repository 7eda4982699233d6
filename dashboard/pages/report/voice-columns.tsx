import { Value } from '../../evidence/value.tsx'
import type { Column } from '../../tables/table-types.ts'
import { visibleText } from '../../words/foreign-text.ts'
import { interval, percent } from '../../words/numbers.ts'
import type { Ratio } from './report-figures.tsx'

/** The brand or one of its competitors. */
export interface Voice {
  /** null: the brand itself. */
  id: string | null
  name: string
  ratio: Ratio
}

/** The columns of the table and the CSV of shares of voice. `evidence`: how many of the runs were answered. */
export const voiceColumns = (evidence: string): Column<Voice>[] => [
  {
    key: 'name',
    head: 'Brand',
    cell: ({ id, name }) => <span className={id === null ? 'font-strong' : ''}>{visibleText(name)}</span>,
    csv: [
      { name: 'competitor_id', value: ({ id }) => id },
      { name: 'name', value: ({ name }) => name },
    ],
  },
  {
    key: 'share',
    head: 'Share',
    is_number: true,
    phone: 'value',
    cell: ({ ratio: { value, low, high } }) => (
      <>
        <Value value={value} format={percent} />
        {low !== null && high !== null && (
          <span className="block text-small whitespace-nowrap text-ink2">{interval(low, high)}</span>
        )}
      </>
    ),
    csv: [
      { name: 'share_of_voice', value: ({ ratio }) => ratio.value },
      { name: 'share_of_voice_low', value: ({ ratio }) => ratio.low },
      { name: 'share_of_voice_high', value: ({ ratio }) => ratio.high },
    ],
  },
  {
    key: 'mentions',
    head: 'Mentions',
    is_number: true,
    phone: 'bar',
    cell: ({ ratio: { numerator } }) => <Value value={numerator} />,
    csv: [
      { name: 'numerator', value: ({ ratio }) => ratio.numerator },
      { name: 'denominator', value: ({ ratio }) => ratio.denominator },
    ],
  },
  {
    key: 'evidence',
    head: 'Evidence',
    phone: 'tag',
    cell: () => <span className="block text-small text-ink2">{evidence}</span>,
    csv: { name: 'evidence', value: () => evidence },
  },
]
