import type { ReactNode } from 'react'
import { PageLink } from '../controls/page-link.tsx'
import { useSiteId } from '../read/use-report.ts'
import { DataTable } from '../tables/data-table.tsx'
import type { Column } from '../tables/table-types.ts'
import { useSort } from '../tables/use-sort.ts'
import { Panel } from './panel.tsx'

interface DefinitionsPanelProps<Row> {
  title: string
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
export function DefinitionsPanel<Row>({
  title,
  note,
  pagination,
  empty,
  action,
  to,
  ...props
}: DefinitionsPanelProps<Row>) {
  const site = useSiteId()
  return (
    <Panel title={title} note={note}>
      <DataTable
        caption={props.caption}
        columns={props.columns}
        rows={props.rows}
        rowKey={props.rowKey}
        total={pagination.total_count}
        truncated={pagination.truncated}
        {...useSort()}
        empty={
          <span className="flex flex-wrap items-center gap-8">
            {empty}
            <PageLink to={to} params={{ site }} className="control">
              {action}
            </PageLink>
          </span>
        }
      />
      {props.children}
    </Panel>
  )
}
