import type { AnalyticsJourneys } from '../../../src/contract/site-api/index.ts'
import { groupOf, type Sequence, sequencesOf } from '../../charts/flow/journey-links.ts'
import { Value } from '../../evidence/value.tsx'
import { DataTable } from '../../tables/data-table.tsx'
import type { Column } from '../../tables/table-types.ts'
import { middleCut, visibleText } from '../../words/foreign-text.ts'
import { counted, percent } from '../../words/numbers.ts'

export const JOURNEY_COLUMNS: Column<Sequence>[] = [
  {
    key: 'pages',
    head: 'Pages, in order',
    csv: { name: 'pages', value: ({ pages }) => pages.map(({ hostname, path }) => `${hostname}${path}`).join(' > ') },
    cell: ({ pages, continued }) => (
      <ol className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
        {pages.map(({ hostname, path }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a sequence may hold the same page twice
          <li key={index} className="flex items-center gap-3">
            {index > 0 && (
              <span aria-hidden="true" className="text-ink3">
                →
              </span>
            )}
            <span title={`${visibleText(hostname)}${visibleText(path)}`} className="font-mono text-code">
              {middleCut(path, 32)}
            </span>
          </li>
        ))}
        {continued && <li className="text-small text-ink3">and more</li>}
      </ol>
    ),
  },
  {
    key: 'sessions',
    head: 'Sessions',
    is_number: true,
    phone: 'value',
    csv: { name: 'sessions', value: ({ sessions }) => sessions },
    cell: ({ sessions }) => <Value value={sessions} />,
  },
  {
    key: 'share',
    head: 'Share',
    is_number: true,
    phone: 'bar',
    csv: { name: 'share', value: ({ share }) => share },
    cell: ({ share }) => (
      <span className="text-ink2">
        <Value value={share} format={percent} />
      </span>
    ),
  },
]

/** The same paths as rows; grouped sequences are named below them. */
export function JourneyTable({ answer }: { answer: AnalyticsJourneys }) {
  const rows = sequencesOf(answer.journeys)
  const group = groupOf(answer.journeys)
  return (
    <DataTable
      caption="Sequences of pages, most sessions first"
      columns={JOURNEY_COLUMNS}
      rows={rows}
      rowKey={({ pages, continued }) =>
        `${pages.map(({ hostname, path }) => `${hostname}${path}`).join('\n')} ${continued}`
      }
      total={answer.total_count}
      truncated={answer.truncated}
      api_order="sessions"
      empty={emptyWords(answer)}
      foot={
        rows.length > 0 && group !== null && group.sessions !== null ? (
          <span>
            Sequences of fewer than {answer.grouping_threshold} sessions are grouped:{' '}
            {counted(group.sessions, 'session')}.
          </span>
        ) : undefined
      }
    />
  )
}

/** Why no sequence is shown. */
export function emptyWords({ closed_sessions, journeys, grouping_threshold }: AnalyticsJourneys): string {
  const group = groupOf(journeys)
  if (closed_sessions === null) return 'Which sequences sessions took is unknown.'
  if (closed_sessions === 0) return 'No session has closed in the collected time.'
  const grouped = group === null || group.sessions === null ? '' : `: ${counted(group.sessions, 'session')}`
  return `Sequences of fewer than ${grouping_threshold} sessions are grouped${grouped}. No sequence has more.`
}
