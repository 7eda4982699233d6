import { useTyped } from '../controls/use-typed.ts'
import { useReportSearch, useSetSearch } from '../read/use-report.ts'
import { shortText } from '../words/foreign-text.ts'
import { fullCount } from '../words/numbers.ts'

const MIN_ROWS = 10

/** Filters the loaded rows by a text, which is in the address. Shown if there are ten rows or more. */
export function FilterBox({ label, rows }: { label: string; rows: number }) {
  const { q } = useReportSearch()
  const setSearch = useSetSearch()
  const { text, setText, sendText } = useTyped(
    q ?? '',
    (typed) => void setSearch({ q: typed === '' ? undefined : typed } as never, { replace: true }),
  )
  if (rows < MIN_ROWS && q === undefined) return null
  return (
    <input
      type="search"
      aria-label={label}
      placeholder="Filter"
      data-key="/"
      value={text}
      onChange={(event) => {
        setText(event.target.value)
        sendText(event.target.value)
      }}
      className="field max-w-100 max-tablet:max-w-none"
    />
  )
}

/** Whether any of the texts holds what was typed, in any case. */
export const matches = (q: string | undefined, ...texts: readonly (string | null)[]): boolean =>
  q === undefined || texts.some((text) => text?.toLowerCase().includes(q.toLowerCase()))

interface Filtered {
  /** "page" */
  what: string
  /** The text of the filter; undefined: there is none. */
  q: string | undefined
  /** How many rows were loaded and searched. */
  searched: number
  /** How many rows there are in all; null: unknown. */
  total: number | null
}

/**
 * Why the filter leaves no row; undefined if there was none to leave. Rows that are not loaded were not searched, and
 * may match.
 */
export function nothingMatches({ what, q, searched, total }: Filtered): string | undefined {
  if (q === undefined || searched === 0) return undefined
  return total === searched
    ? `No ${what} matches “${shortText(q)}”.`
    : `No ${what} among the ${fullCount(searched)} loaded matches “${shortText(q)}”. The others are not searched.`
}
