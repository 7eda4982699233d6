import type { ReactNode } from 'react'
import { PageLink } from '../controls/page-link.tsx'
import { useReportSearch, useSiteId } from '../read/use-report.ts'
import { DataTable } from '../tables/data-table.tsx'
import { FilterBox, matches, nothingMatches } from '../tables/filter-box.tsx'
import type { Column } from '../tables/table-types.ts'
import { useSort } from '../tables/use-sort.ts'
import { Panel } from './panel.tsx'

interface DefinitionsPanelProps<Row extends { name: string }> {
  title: string
  /** What a row is: "funnel". */
  what: string
  note: string
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  pagination: { total_count: number | null; truncated: boolean }
  /** The text without any definition, and the link to the form that creates one. */
  empty: string
  action: string
  to: string
  children?: ReactNode
}

/** The definitions of the owner with their counts; if there are none, a link to the form. */
export function DefinitionsPanel<Row extends { name: string }>({
  title,
  what,
  note,
  pagination,
  empty,
  action,
  to,
  ...props
}: DefinitionsPanelProps<Row>) {
  const site = useSiteId()
  const { q } = useReportSearch()
  const found = props.rows.length
  const rows = props.rows.filter(({ name }) => matches(q, name))
  return (
    <Panel title={title} note={note} actions={<FilterBox label={`Filter by the name of the ${what}`} rows={found} />}>
      <DataTable
        caption={props.caption}
        columns={props.columns}
        rows={rows}
        rowKey={props.rowKey}
        total={pagination.total_count}
        truncated={pagination.truncated}
        {...useSort()}
        empty={
          nothingMatches({ what, q, searched: found, total: pagination.total_count }) ?? (
            <span className="flex flex-wrap items-center gap-8">
              {empty}
              <PageLink to={to} params={{ site }} className="control">
                {action}
              </PageLink>
            </span>
          )
        }
      />
      {props.children}
    </Panel>
  )
}
