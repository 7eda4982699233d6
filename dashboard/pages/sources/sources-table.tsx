import type { Source } from '../../../src/contract/site-api/index.ts'
import { Badge } from '../../controls/badge.tsx'
import { PageLink } from '../../controls/page-link.tsx'
import { Unknown } from '../../evidence/value.tsx'
import type { ReadOutput } from '../../read/operations.ts'
import { useKeptSearch } from '../../shell/kept-search.ts'
import { DataTable } from '../../tables/data-table.tsx'
import { ROW_LINK } from '../../tables/path-text.tsx'
import type { Column } from '../../tables/table-types.ts'
import { datedInstantText } from '../../words/days.ts'
import { visibleText } from '../../words/foreign-text.ts'
import {
  COMPLETENESS_WORDS,
  CONNECTION_TONES,
  CONNECTION_WORDS,
  COUNTING_WORDS,
  countingOf,
  FIDELITY_WORDS,
  SOURCE_TYPE_WORDS,
  samplingWords,
  sourceLimitationWords,
  zoneFaultWords,
} from '../../words/sources.ts'

interface SourcesTableProps {
  sources: readonly Source[]
  /** With the names that people gave; undefined while they are read. */
  names: ReadOutput<'source.list'>['sources'] | undefined
  site: string
}

export function SourcesTable({ sources, names, site }: SourcesTableProps) {
  const kept = useKeptSearch()('/sites/$site/sources/$source')
  const nameOf = (id: string) => names?.find((named) => named.id === id)
  const columns: Column<Source>[] = [
    {
      key: 'name',
      head: 'Source',
      cell: ({ id, source_type }) => (
        <>
          <PageLink to="/sites/$site/sources/$source" params={{ site, source: id }} search={kept} className={ROW_LINK}>
            {visibleText(nameOf(id)?.name || SOURCE_TYPE_WORDS[source_type])}
          </PageLink>
          {nameOf(id)?.name && (
            <span className="block text-small text-ink3">{SOURCE_TYPE_WORDS[source_type] ?? source_type}</span>
          )}
        </>
      ),
      phone: 'name',
    },
    {
      key: 'state',
      head: 'State',
      cell: ({ id, connection_status: state }) => (
        <>
          <Badge tone={CONNECTION_TONES[state]}>{CONNECTION_WORDS[state] ?? state}</Badge>
          <FaultCode code={nameOf(id)?.error_code ?? null} />
        </>
      ),
      phone: 'value',
    },
    {
      key: 'primary',
      head: 'Counts',
      cell: ({ id, is_primary }) => {
        const named = nameOf(id)
        // An upload that has ended counts on its days, which only the list of names says.
        if (named === undefined && !is_primary) return <Unknown />
        const counting = countingOf({ is_primary, has_ended: named?.has_ended === true })
        return <span className={counting === 'never' ? 'text-ink3' : ''}>{COUNTING_WORDS[counting].cell}</span>
      },
    },
    {
      key: 'through',
      head: 'Data through, UTC',
      cell: ({ data_through }) => (data_through === null ? <Unknown /> : datedInstantText(data_through)),
      phone: 'tag',
    },
    {
      key: 'completeness',
      head: 'Completeness',
      cell: ({ completeness, coverage_limitations = [] }) =>
        completeness === null ? (
          <Unknown />
        ) : (
          <span title={coverage_limitations.map(sourceLimitationWords).join(' ') || undefined}>
            {COMPLETENESS_WORDS[completeness] ?? completeness}
          </span>
        ),
      phone: 'bar',
    },
    {
      key: 'sampling',
      head: 'Sampling',
      cell: ({ sampling, data_through }) => (data_through === null ? <Unknown /> : samplingWords(sampling)),
    },
    {
      key: 'fidelity',
      head: 'Status codes',
      cell: ({ http_status_fidelity: fidelity }) => (fidelity === null ? <Unknown /> : FIDELITY_WORDS[fidelity]),
    },
  ]
  return (
    <DataTable
      caption="Sources of evidence and their state"
      columns={columns}
      rows={sources}
      rowKey={({ id }) => id}
      total={sources.length}
    />
  )
}

/** Why the source fails; the words for it are in the title, and on its page. */
const FaultCode = ({ code }: { code: string | null }) =>
  code === null ? null : (
    <span title={zoneFaultWords(code) || undefined} className="block text-small text-bad">
      {code}
    </span>
  )
