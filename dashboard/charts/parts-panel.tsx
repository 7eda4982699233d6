import type { ReactNode } from 'react'
import { Value } from '../evidence/value.tsx'
import { DataTable } from '../tables/data-table.tsx'
import type { Column } from '../tables/table-types.ts'
import { percent } from '../words/numbers.ts'
import { ChartPanel } from './chart-panel.tsx'

export interface PartRow {
  key: string
  label: string
  /** null: unknown. */
  count: number | null
  /** More about it, such as its statuses, or another count. */
  detail?: string | number
}

/** The head of a column, and the API's name of its field. */
interface FieldWords {
  head: string
  name: string
  is_number?: boolean
}

export interface PartsPanelProps {
  title: string
  /** Beside the title, such as the day. */
  note?: ReactNode
  /** Without a file extension. */
  file_name: string
  part: FieldWords
  count: FieldWords
  detail?: FieldWords
  parts: readonly PartRow[]
  /** null: unknown, so that no part has a share. */
  total: number | null
  /** The coverage of the window in which they were counted. */
  evidence: string
  /** The rows as CSV with what their answer says about its evidence; null until it is read. */
  csv: ((columns: readonly Column<PartRow>[], rows: readonly PartRow[]) => string) | null
  chart: ReactNode
  /** The text of the table if there are no parts. */
  empty?: ReactNode
  /** Draws chart or table once the answer is read. */
  wrap?: (content: ReactNode) => ReactNode
}

/** Parts of a whole as a chart, with their table, CSV and picture. */
export function PartsPanel(props: PartsPanelProps) {
  const { title, note, file_name, parts, total, evidence, csv, chart, empty, wrap = (content) => content } = props
  const columns = partColumns(props)
  return (
    <ChartPanel
      title={title}
      controls={note !== undefined && <span className="text-small text-ink3">{note}</span>}
      file_name={file_name}
      evidence={evidence}
      csv={csv === null ? null : () => csv(columns, parts)}
      chart={wrap(chart)}
      table={wrap(
        <DataTable
          caption={title}
          columns={columns}
          rows={parts}
          rowKey={({ key }) => key}
          total={total === null && parts.length === 0 ? null : parts.length}
          empty={empty}
        />,
      )}
    />
  )
}

type ColumnsOf = Pick<PartsPanelProps, 'part' | 'count' | 'detail' | 'total' | 'evidence'>

/** Columns: the part, its count and share, its detail, and the coverage of the window. */
export function partColumns({ part, count, detail, total, evidence }: ColumnsOf): Column<PartRow>[] {
  const shareOf = (row: PartRow) => (row.count === null || total === null || total <= 0 ? null : row.count / total)
  return [
    {
      key: 'part',
      head: part.head,
      cell: ({ label }) => <span className="block min-w-50 first-letter:uppercase">{label}</span>,
      csv: { name: part.name, value: ({ key }) => key },
    },
    {
      key: 'count',
      head: count.head,
      is_number: true,
      phone: 'value',
      cell: (row) => <Value value={row.count} />,
      csv: { name: count.name, value: (row) => row.count },
    },
    {
      key: 'share',
      head: 'Share',
      is_number: true,
      phone: 'tag',
      cell: (row) => (total === 0 ? '' : <Value value={shareOf(row)} format={percent} />),
      csv: { name: 'share', value: shareOf },
    },
    ...(detail === undefined
      ? []
      : [
          {
            key: 'detail',
            head: detail.head,
            is_number: detail.is_number === true,
            cell: ({ detail: of_part = '' }: PartRow) =>
              typeof of_part === 'number' ? <Value value={of_part} /> : of_part,
            csv: { name: detail.name, value: (row: PartRow) => row.detail ?? null },
          },
        ]),
    {
      key: 'evidence',
      head: 'Evidence',
      // The rest is in the evidence line of the page.
      cell: () => (
        <span title={evidence} className="block min-w-30 py-2 text-small text-ink2">
          {evidence.split(',', 1)}
        </span>
      ),
      csv: { name: 'evidence', value: () => evidence },
    },
  ]
}
