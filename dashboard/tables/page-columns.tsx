import type { ReactNode } from 'react'
import { Value } from '../evidence/value.tsx'
import { fullCount, percent } from '../words/numbers.ts'
import { PathText, RowCopy } from './path-text.tsx'
import type { Column } from './table-types.ts'

interface Page {
  host: string
  path: string
}

interface PageColumnOptions<Row> {
  of: (row: Row) => Page
  head?: string
  /** The maximum length of the path. */
  length?: number
  /** Wraps the path in a link if the row has one. */
  link?: (row: Row, text: ReactNode) => ReactNode
}

/** The column of a list that names pages: the path, cut in its middle, and a button that copies the whole address. */
export const pageColumn = <Row,>({ of, head = 'Page', length = 48, link }: PageColumnOptions<Row>): Column<Row> => ({
  key: 'page',
  head,
  sort: (row) => addressOf(of(row)),
  csv: [
    { name: 'host', value: (row) => of(row).host },
    { name: 'path', value: (row) => of(row).path },
  ],
  cell: (row) => {
    const page = of(row)
    const text = <PathText host={page.host} path={page.path} length={length} />
    return (
      <span className="flex items-center">
        <span className="min-w-0">{link === undefined ? text : link(row, text)}</span>
        <RowCopy text={addressOf(page)} />
      </span>
    )
  },
})

const addressOf = ({ host, path }: Page) => `${host}${path}`

interface Counted {
  observed_request_count: number
}

export const requestsColumn = <Row extends Counted>(): Column<Row> => ({
  key: 'requests',
  head: 'Requests',
  is_number: true,
  phone: 'value',
  sort: ({ observed_request_count }) => observed_request_count,
  csv: { name: 'observed_request_count', value: ({ observed_request_count }) => observed_request_count },
  cell: ({ observed_request_count }) => <Value value={observed_request_count} />,
})

export const shareColumn = <Row extends { observed_share: number | null }>(): Column<Row> => ({
  key: 'share',
  head: 'Share',
  is_number: true,
  csv: { name: 'observed_share', value: ({ observed_share }) => observed_share },
  cell: ({ observed_share }) => (
    <span className="text-ink2">
      <Value value={observed_share} format={percent} />
    </span>
  ),
})

/** How many of the requests had a response that a source saw. */
export const responsesColumn = <Row extends Counted & { observed_response_count: number }>(): Column<Row> => ({
  key: 'responses',
  head: 'Responses observed',
  is_number: true,
  sort: ({ observed_response_count }) => observed_response_count,
  csv: { name: 'observed_response_count', value: ({ observed_response_count }) => observed_response_count },
  cell: ({ observed_response_count, observed_request_count }) =>
    observed_response_count === 0 ? (
      <span className="text-ink2">none of {fullCount(observed_request_count)}</span>
    ) : (
      <Value value={observed_response_count} />
    ),
})
