import { Value } from '../../evidence/value.tsx'
import { Panel } from '../../states/panel.tsx'
import { DataTable } from '../../tables/data-table.tsx'
import type { Column } from '../../tables/table-types.ts'
import { forceText } from '../../words/days.ts'
import { matcherWords } from '../../words/definitions.ts'
import { QUALITY_WORDS, VALUE_QUALITIES } from '../../words/tracker.ts'
import type { ConversionRow } from './columns.tsx'

const COLUMNS: Column<ConversionRow>[] = [
  { key: 'revision', head: 'Revision', cell: ({ revision }) => `Revision ${revision}` },
  {
    key: 'force',
    head: 'In force, UTC',
    phone: 'tag',
    cell: ({ effective_from, effective_to }) => (
      <span className="text-ink2">{forceText(effective_from, effective_to)}</span>
    ),
  },
  { key: 'matcher', head: 'Counts', cell: ({ matcher }) => matcherWords(matcher) },
  {
    key: 'sessions',
    head: 'Sessions',
    is_number: true,
    phone: 'value',
    cell: ({ metrics }) => <Value value={metrics.converted_sessions} quality={VALUE_QUALITIES[metrics.quality]} />,
  },
  {
    key: 'quality',
    head: 'Quality',
    width: 'tablet:pl-12',
    cell: ({ metrics }) => <span className="text-ink2">{QUALITY_WORDS[metrics.quality]}</span>,
  },
]

/** Newest first; every revision keeps its results. */
export const ConversionRevisions = ({ revisions }: { revisions: readonly ConversionRow[] }) => (
  <Panel title="Revisions">
    <DataTable
      caption="Revisions of the conversion, newest first"
      columns={COLUMNS}
      rows={revisions}
      rowKey={({ revision_id }) => revision_id}
      total={revisions.length}
    />
  </Panel>
)
