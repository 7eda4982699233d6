/** Responses of Search Console's API to a query of search analytics (account API 3, search data). */

import type { SearchType } from '#contract/vocabulary.ts'
import { itemsAt, memberAt, textAt } from '#json-members.ts'
import { RecordFault } from '../answers/answer-record.ts'
import { countryOf } from './country-codes.ts'
import { dimensionsOf, numbersOf, pageField, type SearchDimension, type SearchRow } from './search-row.ts'

/** The query of the rows. */
export interface SearchConsoleQuery {
  property: string
  search_type: SearchType
  /** In the order of `keys`. */
  dimensions: readonly string[]
  /** The day of all rows, if `date` is not a dimension. */
  day: string | null
  is_final: boolean
}

/** The rows of a response; the member is missing if there are none. */
export const googleRowsOf = (answer: unknown): unknown[] => itemsAt(answer, 'rows')

/** @throws RecordFault for a row that does not fit its query. */
export function readSearchConsoleRow(raw: unknown, asked: SearchConsoleQuery): SearchRow {
  const keys = itemsAt(raw, 'keys')
  if (keys.length !== asked.dimensions.length) {
    const counts = `The row has ${keys.length} keys, and the query ${asked.dimensions.length} dimensions.`
    throw new RecordFault('unreadable', counts)
  }
  const texts = Object.fromEntries(asked.dimensions.map((name, at) => [name, keys[at]]))
  const of = (name: SearchDimension) =>
    asked.dimensions.includes(name) ? (textAt(texts, name)?.toWellFormed() ?? null) : null
  const day = asked.dimensions.includes('date') ? textAt(texts, 'date') : asked.day
  if (day === null) throw new RecordFault('missing', 'The row has no day: query with the dimension date.')
  return {
    source: 'google',
    property: asked.property,
    search_type: asked.search_type,
    day,
    last_day: day,
    is_weekly: false,
    is_final: asked.is_final,
    page: of('page') === null ? null : pageField(texts, 'page'),
    query: of('query'),
    country: countryOf(of('country')),
    device: of('device')?.toLowerCase() ?? null,
    ...numbersOf({
      clicks: memberAt(raw, 'clicks'),
      impressions: memberAt(raw, 'impressions'),
      position: memberAt(raw, 'position'),
    }),
    dimensions: dimensionsOf((name) => asked.dimensions.includes(name)),
  }
}
