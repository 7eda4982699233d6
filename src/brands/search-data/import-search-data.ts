/** Imports a file of search data into a brand: the same file twice changes nothing (account API 3, search data). */
import type { SearchFileForm } from '#contract/vocabulary.ts'
import { RecordFault } from '../answers/answer-record.ts'
import { type ReadSearchRow, readSearchFile, type SearchFileHints } from './read-search-file.ts'
import { storedAiRows, storedSearchRows } from './search-data.sql.ts'
import { type AiReportRow, checkDays, type SearchRow } from './search-row.ts'
import {
  keyOfSet,
  noteDays,
  type OfBrand,
  type SearchDataContext,
  setOf,
  storeAiRows,
  storeSearchRows,
} from './store-search-rows.ts'

export interface SearchImportReceipt {
  form: SearchFileForm
  /** stored + replaced + duplicates + refused.length. */
  records: number
  stored: number
  replaced: number
  duplicates: number
  refused: { place: number; code: RecordFault['code']; message: string }[]
  /** The first and last day of the rows that were read; null if none was. */
  from: string | null
  to: string | null
  properties: string[]
}

const DAYS_AT_ONCE = 50

/** @throws Refusal not_readable, too_large, invalid_input: the file as a whole; single records are in the receipt. */
export async function importSearchData(
  ctx: SearchDataContext,
  brand: OfBrand,
  { bytes, hints }: { bytes: Buffer; hints: SearchFileHints },
): Promise<SearchImportReceipt> {
  const { form, rows } = readSearchFile(bytes, hints)
  const read = rows.map((each) => withStorableDays(each, ctx.clock.now()))
  const searches = unique(
    read.flatMap((each) => ('row' in each ? [each.row] : [])),
    keyOfRow,
  )
  const reports = unique(
    read.flatMap((each) => ('ai' in each ? [each.ai] : [])),
    keyOfReport,
  )
  const [changed, changed_reports] = [
    await changedRows(ctx, brand, searches.kept),
    await changedReports(ctx, brand, reports.kept),
  ]
  await storeSearchRows(ctx, brand, changed.rows)
  // All of them: a crash may have left rows whose days were not noted.
  await noteDays(ctx, brand, searches.kept, { is_connected: false })
  await storeAiRows(ctx, brand, changed_reports.rows)
  const refused = read.flatMap(refusedOf)
  const stored = changed.stored + changed_reports.stored
  const replaced = changed.replaced + changed_reports.replaced
  return {
    form,
    records: read.length,
    stored,
    replaced,
    refused,
    duplicates: read.length - refused.length - stored - replaced,
    ...rangeOf(searches.kept, reports.kept),
    properties: [...new Set(searches.kept.map(({ property }) => property))].sort(),
  }
}

/** The row, or its fault if a day of it cannot be stored. */
function withStorableDays(each: ReadSearchRow, now: number): ReadSearchRow {
  if ('fault' in each) return each
  try {
    checkDays('row' in each ? [each.row.day, each.row.last_day] : [each.ai.from, each.ai.to], now)
    return each
  } catch (fault) {
    if (fault instanceof RecordFault) return { place: each.place, fault }
    throw fault
  }
}

const refusedOf = (each: ReadSearchRow) =>
  'fault' in each ? [{ place: each.place, code: each.fault.code, message: each.fault.message }] : []

/** If rows have the same key, the last one counts. */
function unique<Row>(rows: readonly Row[], keyOf: (row: Row) => string): { kept: Row[] } {
  return { kept: [...new Map(rows.map((row) => [keyOf(row), row])).values()] }
}

const keyOfRow = (row: SearchRow) =>
  JSON.stringify([keyOfSet(setOf(row)), row.day, row.last_day, row.page, row.query, row.country, row.device])
const keyOfReport = (row: AiReportRow) =>
  JSON.stringify([row.kind, row.source, row.from, row.to, row.page, row.grounding_query])

interface Changed<Row> {
  rows: Row[]
  stored: number
  replaced: number
}

async function changedRows(
  { evidence }: SearchDataContext,
  brand: OfBrand,
  rows: readonly SearchRow[],
): Promise<Changed<SearchRow>> {
  const changed: Changed<SearchRow> = { rows: [], stored: 0, replaced: 0 }
  for (const of_set of Map.groupBy(rows, (row) => keyOfSet(setOf(row))).values()) {
    const set = setOf(of_set[0] as SearchRow)
    const byDay = Map.groupBy(of_set, ({ day }) => day)
    const days = [...byDay.keys()].sort()
    for (let at = 0; at < days.length; at += DAYS_AT_ONCE) {
      const some = days.slice(at, at + DAYS_AT_ONCE)
      const found = await evidence.all(storedSearchRows(brand, set, some))
      const known = new Map(
        found.map(({ clicks, impressions, position, ...key }) => [
          JSON.stringify([key.day, key.last_day, key.page, key.query, key.country, key.device]),
          JSON.stringify([clicks, impressions, position]),
        ]),
      )
      for (const row of some.flatMap((day) => byDay.get(day) ?? [])) {
        const { page, query, country, device } = row
        const key = JSON.stringify([row.day, row.last_day, page ?? '', query ?? '', country ?? '', device ?? ''])
        count(changed, row, known.get(key), JSON.stringify([row.clicks, row.impressions, row.position]))
      }
    }
  }
  return changed
}

async function changedReports(
  { evidence }: SearchDataContext,
  brand: OfBrand,
  rows: readonly AiReportRow[],
): Promise<Changed<AiReportRow>> {
  const changed: Changed<AiReportRow> = { rows: [], stored: 0, replaced: 0 }
  const periods = Map.groupBy(rows, ({ kind, source, from, to }) => JSON.stringify([kind, source, from, to]))
  for (const of_period of periods.values()) {
    const found = await evidence.all(storedAiRows(brand, of_period[0] as AiReportRow))
    const known = new Map(
      found.map((row) => [
        JSON.stringify([row.page, row.grounding_query]),
        JSON.stringify([row.citations, row.impressions]),
      ]),
    )
    for (const row of of_period) {
      const key = JSON.stringify([row.page ?? '', row.grounding_query ?? ''])
      count(changed, row, known.get(key), JSON.stringify([row.citations, row.impressions]))
    }
  }
  return changed
}

function count<Row>(changed: Changed<Row>, row: Row, known: string | undefined, content: string): void {
  if (known === content) return
  changed.rows.push(row)
  changed[known === undefined ? 'stored' : 'replaced'] += 1
}

function rangeOf(searches: readonly SearchRow[], reports: readonly AiReportRow[]) {
  const from = [...searches.map(({ day }) => day), ...reports.map((row) => row.from)].sort()
  const to = [...searches.map(({ last_day }) => last_day), ...reports.map((row) => row.to)].sort()
  return { from: from[0] ?? null, to: to.at(-1) ?? null }
}
