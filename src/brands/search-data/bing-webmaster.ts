/** Responses of Bing's Webmaster API: weekly points of pages and queries (account API 3, search data). */
import type { BingMethod } from '#contract/vocabulary.ts'
import { quoted } from '#foreign-text.ts'
import { itemsAt, memberAt, textAt } from '#json-members.ts'
import { RecordFault } from '../answers/answer-record.ts'
import { dimensionsOf, numbersOf, pageField, type SearchRow } from './search-row.ts'

export interface BingQuery {
  property: string
  method: BingMethod
  /** The page of the request GetPageQueryStats. */
  page: string | null
}

/** Everything is in the member `d`. */
export const bingRowsOf = (answer: unknown): unknown[] => itemsAt(answer, 'd')

/** @throws RecordFault for a row that is not of this API. */
export function readBingRow(raw: unknown, { property, method, page }: BingQuery): SearchRow {
  // The URL of a page is also in the member Query.
  const text = textAt(raw, 'Query')?.toWellFormed() ?? ''
  if (text === '') throw new RecordFault('missing', 'Query is missing.')
  const day = dayOf(textAt(raw, 'Date'))
  const of_page = method === 'GetPageStats' ? pageField({ Query: text }, 'Query') : page
  const query = method === 'GetPageStats' ? null : text
  return {
    source: 'bing',
    property,
    search_type: 'web',
    day,
    last_day: day,
    is_weekly: true,
    is_final: true,
    page: of_page,
    query,
    country: null,
    device: null,
    ...numbersOf({
      clicks: memberAt(raw, 'Clicks'),
      impressions: memberAt(raw, 'Impressions'),
      position: memberAt(raw, 'AvgImpressionPosition'),
    }),
    dimensions: dimensionsOf((name) => (name === 'page' ? of_page !== null : name === 'query' && query !== null)),
  }
}

/** `/Date(ms±hhmm)/`: the instant, and the zone in which its day is the row's day. */
function dayOf(text: string | null): string {
  const [, ms, sign, hours, minutes] = /^\/Date\((-?\d{1,15})(?:([+-])(\d{2})(\d{2}))?\)\/$/.exec(text ?? '') ?? []
  if (ms === undefined) {
    throw new RecordFault(
      'invalid_date',
      `Date is ${quoted(String(text))}: it has the form /Date(1795248000000-0800)/.`,
    )
  }
  const offset = (Number(hours ?? '00') * 60 + Number(minutes ?? '00')) * (sign === '-' ? -1 : 1)
  const at = new Date(Number(ms) + offset * 60_000)
  if (Number.isNaN(at.getTime()))
    throw new RecordFault('invalid_date', `Date is ${quoted(String(text))}, which is not a valid date.`)
  return at.toISOString().slice(0, 10)
}
