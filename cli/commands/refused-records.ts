import { formatCount } from '#quantities.ts'
import { lines, table } from '../output.ts'

const MAX_SHOWN = 20

interface RefusedRecord {
  place: string | number
  code: string
  message: string
}

/** The first refused records of an imported file as a table, and the number of the others; null: none was refused. */
export function refusedText(refused: readonly RefusedRecord[]): string | null {
  if (refused.length === 0) return null
  const shown = refused.slice(0, MAX_SHOWN)
  const more = refused.length - shown.length
  return lines(
    table(shown, { PLACE: ({ place }) => String(place), CODE: 'code', REASON: 'message' }),
    more === 0 ? null : `${formatCount(more)} more refused; --json shows them`,
  )
}
