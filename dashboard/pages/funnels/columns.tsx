import type { FunnelList } from '../../../src/contract/site-api/index.ts'
import { Badge } from '../../controls/badge.tsx'
import { PageLink } from '../../controls/page-link.tsx'
import { Value } from '../../evidence/value.tsx'
import type { Search } from '../../read/search.ts'
import { ROW_LINK } from '../../tables/path-text.tsx'
import type { Column } from '../../tables/table-types.ts'
import { shortText } from '../../words/foreign-text.ts'
import { percent } from '../../words/numbers.ts'
import { FUNNEL_STATE_WORDS, VALUE_QUALITIES } from '../../words/tracker.ts'

type Row = FunnelList['funnels'][number]

export const funnelColumns = ({ site, search }: { site: string; search: Search }): Column<Row>[] => [
  {
    key: 'name',
    head: 'Funnel',
    sort: ({ name }) => name.toLowerCase(),
    cell: ({ slug, name, revision, definition_state }) => (
      <>
        <PageLink
          to="/sites/$site/funnels/$funnel"
          params={{ site, funnel: slug }}
          search={search}
          className={ROW_LINK}
        >
          {shortText(name)}
        </PageLink>{' '}
        <span className="text-small text-ink3">revision {revision}</span>{' '}
        {definition_state === 'archived' && <Badge>archived</Badge>}
      </>
    ),
  },
  {
    key: 'steps',
    head: 'Steps',
    is_number: true,
    sort: ({ step_count }) => step_count,
    cell: ({ step_count }) => step_count,
  },
  {
    key: 'entered',
    head: 'Entered',
    is_number: true,
    sort: ({ metrics }) => metrics.entered_sessions,
    cell: ({ metrics }) => (
      <Value value={metrics.entered_sessions} quality={VALUE_QUALITIES[metrics.entered_quality]} />
    ),
  },
  {
    key: 'completed',
    head: 'Completed',
    is_number: true,
    phone: 'bar',
    sort: ({ metrics }) => metrics.completed_sessions,
    cell: ({ metrics }) => (
      <Value value={metrics.completed_sessions} quality={VALUE_QUALITIES[metrics.completed_quality]} />
    ),
  },
  {
    key: 'rate',
    head: 'Rate',
    is_number: true,
    phone: 'value',
    sort: ({ metrics }) => metrics.completion_rate,
    cell: ({ metrics }) => <CompletionRate {...metrics} />,
  },
  {
    key: 'evidence',
    head: 'Evidence',
    width: 'tablet:pl-12',
    phone: 'tag',
    cell: ({ evidence_state }) => <span className="text-ink2">{FUNNEL_STATE_WORDS[evidence_state]}</span>,
  },
]

/** A rate of zero sessions is not defined; a rate of unknown numbers is unknown. */
export function CompletionRate({
  completion_rate,
  entered_sessions,
  completed_quality,
}: Pick<Row['metrics'], 'completion_rate' | 'entered_sessions' | 'completed_quality'>) {
  if (completion_rate === null && entered_sessions === 0) return <span className="text-ink2">not defined</span>
  return (
    <Value
      value={completion_rate}
      format={percent}
      quality={completed_quality === 'suppressed' ? 'withheld' : 'exact'}
    />
  )
}
