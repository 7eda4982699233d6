import type { ReactNode } from 'react'
import { usePressed } from '../controls/use-pressed.ts'
import { fullCount } from '../words/numbers.ts'
import { type Column, type Sort, sorted } from './table-types.ts'

interface DataTableProps<Row> {
  /** Read by screen readers before the table. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  /** How many rows there are in all; null: unknown. */
  total: number | null
  /** Whether the service has more rows than it answered with. */
  truncated?: boolean
  sort?: Sort | null
  onSort?: (sort: Sort) => void
  /** Key of the column that the API sorted by, descending. */
  api_order?: string
  /** The end of the footer, such as a link to the whole list. */
  foot?: ReactNode
  /** What is shown in place of rows. */
  empty?: ReactNode
}

const PHONE = {
  name: 'max-tablet:order-1 max-tablet:min-w-0',
  value: 'max-tablet:order-2 max-tablet:text-right',
  tag: 'max-tablet:order-3 max-tablet:min-w-0 max-tablet:text-small',
  bar: 'max-tablet:order-4 max-tablet:col-start-2 max-tablet:text-right max-tablet:text-small',
  more: 'phone-more max-tablet:order-5 max-tablet:col-span-2 max-tablet:text-left max-tablet:text-small',
  hidden: 'max-tablet:hidden',
} as const

/**
 * Rows in the API's order unless they are sorted here. The footer always shows how many of how many rows are shown. On
 * phones each row takes two lines, and one for each further column. ARIA roles are explicit, because a table that is
 * laid out as a grid loses them.
 */
export function DataTable<Row>({
  caption,
  columns,
  rows,
  rowKey,
  sort = null,
  onSort,
  api_order,
  ...props
}: DataTableProps<Row>) {
  const shown = sorted(rows, columns, sort)
  const effective = sort ?? (api_order === undefined ? null : { key: api_order, descending: true })
  return (
    <div>
      {rows.length === 0 && props.empty !== undefined ? (
        <div className="px-8 py-8 text-ink2">{props.empty}</div>
      ) : (
        <div className="@container overflow-x-auto">
          {/* As wide as the table: cuts off the links of rows, which reach beyond their sticky cell. */}
          <div className="tablet:w-fit tablet:min-w-full tablet:overflow-clip">
            <table role="table" className="w-full border-collapse tablet:[overflow-wrap:break-word] max-tablet:block">
              <caption className="sr-only">{caption}</caption>
              <thead role="rowgroup" className={onSort === undefined ? 'max-tablet:sr-only' : 'max-tablet:block'}>
                <Heads columns={columns} sort={effective} {...(onSort === undefined ? {} : { onSort })} />
              </thead>
              <tbody role="rowgroup" className="max-tablet:block">
                {shown.map((row) => (
                  <tr
                    key={rowKey(row)}
                    role="row"
                    className="group relative border-t border-line hover:bg-sunken/50 max-tablet:grid max-tablet:grid-cols-[1fr_auto] max-tablet:items-center max-tablet:gap-x-6 max-tablet:gap-y-2 max-tablet:px-6 max-tablet:py-5"
                  >
                    {columns.map((column, index) => (
                      <td
                        key={column.key}
                        role="cell"
                        data-head={column.head}
                        className={`h-19 px-3 py-2 first:pl-8 last:pr-8 max-tablet:h-auto max-tablet:p-0 max-tablet:first:pl-0 max-tablet:last:pr-0 ${
                          column.is_number ? 'text-right' : ''
                        } ${PHONE[column.phone ?? (index === 0 ? 'name' : 'more')]} ${index === 0 ? 'sticky-cell' : ''} ${index === 0 && column.phone !== 'hidden' ? 'tablet:min-w-60' : ''} ${column.width ?? ''}`}
                      >
                        {column.cell(row)}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </div>
      )}
      <TableFoot shown={rows.length} total={props.total} truncated={props.truncated ?? false} is_sorted={sort !== null}>
        {props.foot}
      </TableFoot>
    </div>
  )
}

interface HeadsProps<Row> {
  columns: readonly Column<Row>[]
  sort: Sort | null
  onSort?: (sort: Sort) => void
}

/** Separate from the rows, so that the arrow of the pressed column is shown before the rows are sorted. */
function Heads<Row>({ columns, sort: of_rows, onSort }: HeadsProps<Row>) {
  const [sort, press] = usePressed(of_rows)
  const by = onSort && { onSort: (next: Sort) => press(next, () => onSort(next)) }
  return (
    <tr
      role="row"
      // On phones, only the heads of sortable columns are visible.
      className="max-tablet:flex max-tablet:flex-wrap max-tablet:gap-x-6 max-tablet:px-6 max-tablet:text-small max-tablet:text-ink3 max-tablet:before:self-center max-tablet:before:content-['Sort_by']"
    >
      {columns.map((column) => (
        <Head key={column.key} column={column} sort={sort} {...by} />
      ))}
    </tr>
  )
}

interface HeadProps<Row> extends Pick<HeadsProps<Row>, 'sort' | 'onSort'> {
  column: Column<Row>
}

function Head<Row>({ column, sort, onSort }: HeadProps<Row>) {
  const is_sorter = onSort !== undefined && column.sort !== undefined
  const is_current = sort?.key === column.key
  const descending = is_current && sort.descending
  const order = descending ? 'descending' : 'ascending'
  const arrow = is_current ? <span aria-hidden="true">{descending ? '↓' : '↑'}</span> : null
  return (
    <th
      role="columnheader"
      scope="col"
      aria-sort={is_current ? order : undefined}
      className={`first:sticky-cell px-3 pb-4 text-small font-normal text-ink3 first:pl-8 last:pr-8 ${column.is_number ? 'text-right' : 'text-left'} whitespace-nowrap max-tablet:w-auto max-tablet:p-0 max-tablet:first:pl-0 max-tablet:last:pr-0 ${is_sorter ? '' : 'max-tablet:sr-only'} ${column.width ?? ''}`}
    >
      {!is_sorter ? (
        <>
          {column.head} {arrow}
        </>
      ) : (
        <button
          type="button"
          className="min-h-12 rounded-tag hover:text-ink max-tablet:min-h-16 touch:max-tablet:min-h-22"
          // Numbers start with the largest, words with the first.
          onClick={() =>
            onSort({ key: column.key, descending: is_current ? !descending : (column.is_number ?? false) })
          }
        >
          {column.head} {arrow}
        </button>
      )}
    </th>
  )
}

interface TableFootProps {
  shown: number
  total: number | null
  truncated: boolean
  is_sorted: boolean
  children: ReactNode
}

function TableFoot({ shown, total, truncated, is_sorted, children }: TableFootProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-6 border-t border-line px-8 py-6 text-dense text-ink2 max-tablet:px-6">
      <span>
        {footWords(shown, total, truncated)}
        {is_sorted && (truncated || total === null || shown < total) && ` · Sorted among the ${fullCount(shown)} shown`}
      </span>
      {children}
    </div>
  )
}

/** "Showing 50 of 1,234", "Showing all 17", "Showing 50 of unknown". */
export function footWords(shown: number, total: number | null, truncated: boolean): string {
  if (total === null) return truncated || shown > 0 ? `Showing ${fullCount(shown)} of unknown` : 'unknown'
  return shown === total ? `Showing all ${fullCount(shown)}` : `Showing ${fullCount(shown)} of ${fullCount(total)}`
}
