/** Reads a file of search data, whose format is detected from its content (account API 3, search data). */

import {
  type AiReportSource,
  BING_METHODS,
  type BingMethod,
  SEARCH_TYPES,
  type SearchFileForm,
} from '#contract/vocabulary.ts'
import { quoted } from '#foreign-text.ts'
import { itemsAt, jsonOrUndefined, memberAt, textAt, textsAt } from '#json-members.ts'
import { formatCount } from '#quantities.ts'
import { Refusal } from '#refusal.ts'
import { RecordFault } from '../answers/answer-record.ts'
import { bingRowsOf, readBingRow } from './bing-webmaster.ts'
import {
  type CsvTable,
  hasDays,
  isAiReport,
  isSearchConsoleTab,
  quotedHeader,
  readAiReportRow,
  readCsvTable,
  readTabRow,
  unreadable,
} from './csv-tables.ts'
import { checkProperty, PROPERTY_FORMS } from './property-names.ts'
import { unknownDimensions } from './query-dimensions.ts'
import { googleRowsOf, readSearchConsoleRow } from './search-console.ts'
import { type AiReportRow, readSearchRecord, type SearchRow } from './search-row.ts'

export const MAX_SEARCH_FILE_BYTES = 64 * 1024 ** 2
const MAX_RECORDS = 500_000
const FORMAT = 'spoor.search-data/1'

/** Facts that the file itself may not contain. */
export interface SearchFileHints {
  /** As the source names it: `sc-domain:example.com`, or the URL of a property. */
  property: string | null
  /** The period of a report without days. */
  period: { from: string; to: string } | null
  /** The source of a report about AI answers. */
  ai_source: AiReportSource | null
  /** The dimensions of a response of Search Console's API, in the order of its keys. */
  dimensions: readonly string[] | null
  /** The method of a response of Bing's API. */
  method: BingMethod | null
  /** The page of Bing's queries. */
  page: string | null
}

/** One record; `place` is the line of NDJSON and CSV, the number of a list, from 1. */
export type ReadSearchRow =
  | { place: number; row: SearchRow }
  | { place: number; ai: AiReportRow }
  | { place: number; fault: RecordFault }

export interface ReadSearchFile {
  form: SearchFileForm
  rows: ReadSearchRow[]
}

/** @throws Refusal not_readable, too_large (the file as a whole), invalid_input (facts are missing). */
export function readSearchFile(bytes: Buffer, hints: SearchFileHints): ReadSearchFile {
  if (bytes.length > MAX_SEARCH_FILE_BYTES) {
    throw new Refusal(
      'too_large',
      `The file has ${formatCount(bytes.length)} bytes; at most ${formatCount(MAX_SEARCH_FILE_BYTES)} are allowed: split it.`,
    )
  }
  if (bytes.subarray(0, 2).toString('latin1') === 'PK') {
    throw unreadable('It is a ZIP archive: unpack it, and import Pages.csv, Queries.csv and Chart.csv one by one.')
  }
  const text = decode(bytes)
  const read = /^\s*[[{]/.test(text) ? readJsonText(text, hints) : readCsvText(text, hints)
  if (read.rows.length > MAX_RECORDS) {
    throw new Refusal('too_large', `The file has more than ${formatCount(MAX_RECORDS)} records: split it.`)
  }
  return read
}

function readJsonText(text: string, hints: SearchFileHints): ReadSearchFile {
  const json = jsonOrUndefined(text)
  if (json === undefined || (textAt(json, 'day') !== null && memberAt(json, 'rows') === undefined))
    return readNdjson(text)
  if (textAt(json, 'format') === FORMAT) return { form: 'spoor', rows: each(itemsAt(json, 'rows'), readSearchRecord) }
  if (Array.isArray(memberAt(json, 'd'))) return readBing(json, hints)
  const answer = memberAt(json, 'response') ?? json
  if (memberAt(answer, 'rows') !== undefined || memberAt(answer, 'responseAggregationType') !== undefined) {
    return readSearchConsole(answer, memberAt(json, 'request'), hints)
  }
  throw unreadable(
    `It is JSON of an unknown form: its format is not "${FORMAT}", and it has neither "rows" (Search Console) nor "d" (Bing).`,
  )
}

function readNdjson(text: string): ReadSearchFile {
  const rows = text.split('\n').flatMap((line, at): ReadSearchRow[] => {
    if (line.trim() === '') return []
    const value = jsonOrUndefined(line)
    return [one(at + 1, () => (value === undefined ? notJson() : readSearchRecord(value)))]
  })
  // A damaged file of another format would have a fault for each line.
  if (!rows.some((row) => 'row' in row)) {
    const [first] = rows
    const reason = first !== undefined && 'fault' in first ? ` Line ${first.place}: ${first.fault.message}` : ''
    throw unreadable(`No line of it is a record of the form ${FORMAT}.${reason}`)
  }
  return { form: 'spoor', rows }
}

function notJson(): never {
  throw new RecordFault('unreadable', 'The line is not JSON.')
}

function readSearchConsole(answer: unknown, request: unknown, hints: SearchFileHints): ReadSearchFile {
  const dimensions = hints.dimensions ?? textsAt(request, 'dimensions')
  const unknown = unknownDimensions(dimensions)
  if (unknown.length > 0) throw needs(`its dimension ${unknown.map(quoted).join(', ')} is unknown`)
  const has_rows = googleRowsOf(answer).length > 0
  if (dimensions.length === 0 && has_rows) throw needs('name its dimensions in their order (date,page,query)')
  const [from, to] = [textAt(request, 'startDate'), textAt(request, 'endDate')]
  const day = hints.period?.from ?? (from === to ? from : null)
  if (!dimensions.includes('date') && has_rows && (day === null || (hints.period?.to ?? day) !== day)) {
    throw needs('its rows have no day: query the API with the dimension date, or for a single day')
  }
  const type = textAt(request, 'type') ?? 'web'
  const search_type = SEARCH_TYPES.find((each) => each === type)
  if (search_type === undefined) throw needs(`its type ${quoted(type)} is not one of ${SEARCH_TYPES.join(', ')}`)
  const is_final = textAt(request, 'dataState') !== 'all'
  const asked = { property: propertyOf(hints), search_type, dimensions, day, is_final }
  return { form: 'search_console_api', rows: each(googleRowsOf(answer), (raw) => readSearchConsoleRow(raw, asked)) }
}

function readBing(json: unknown, hints: SearchFileHints): ReadSearchFile {
  const { method, page } = hints
  if (method === null) throw needs(`name the method that was called (${BING_METHODS.join(', ')})`)
  if (method === 'GetPageQueryStats' && page === null) throw needs('name the page whose queries these are')
  if (page !== null && !/^https?:$/.test(URL.parse(page)?.protocol ?? '')) {
    throw needs(`${quoted(page)} is not a page: give its absolute http or https URL`)
  }
  const asked = { property: propertyOf(hints), method, page: method === 'GetPageQueryStats' ? page : null }
  return { form: 'bing_api', rows: each(bingRowsOf(json), (raw) => readBingRow(raw, asked)) }
}

/** Columns of Spoor's own format. */
const COLUMNS = [
  'source',
  'property',
  'day',
  'search_type',
  'page',
  'query',
  'country',
  'device',
  'clicks',
  'impressions',
  'position',
  'final',
  'weekly',
]
const REQUIRED_COLUMNS = ['source', 'property', 'day', 'clicks', 'impressions']

function readCsvText(text: string, hints: SearchFileHints): ReadSearchFile {
  const table = readCsvTable(text)
  const { header } = table
  if (REQUIRED_COLUMNS.every((name) => header.includes(name))) {
    const unknown = header.filter((name) => !COLUMNS.includes(name))
    if (unknown.length > 0) throw unreadable(`It has unknown columns: ${unknown.map(quoted).join(', ')}.`)
    return { form: 'spoor', rows: eachRow(table, (cells) => readSearchRecord(withTruths(cells))) }
  }
  if (isSearchConsoleTab(header)) {
    if (!hasDays(header) && hints.period === null) {
      throw needs('it does not contain its period: name the first and the last day of the export')
    }
    const exported = { property: propertyOf(hints), period: hints.period }
    return { form: 'search_console_export', rows: eachRow(table, (cells) => readTabRow(cells, header, exported)) }
  }
  if (isAiReport(header)) return readAiReport(table, hints)
  throw unreadable(
    `Its columns are unknown: ${quotedHeader(header)}. Export it with the interface in English, or convert it to ${FORMAT}.`,
  )
}

function readAiReport(table: CsvTable, { period, ai_source }: SearchFileHints): ReadSearchFile {
  if (ai_source === null) throw needs('it is a report about AI answers: name who made it (google, bing or clarity)')
  const has_days = table.header[0] === 'Date'
  if (!has_days && period === null) {
    throw needs('it does not contain its period: name the first and the last day of the report')
  }
  const { from, to } = period ?? { from: '', to: '' }
  return {
    form: 'ai_report',
    rows: eachRow(table, (cells) => readAiReportRow(cells, table.header, { source: ai_source, from, to })),
  }
}

const withTruths = ({ final, weekly, ...cells }: Readonly<Record<string, string>>) => ({
  ...cells,
  final: truthOf(final),
  weekly: truthOf(weekly),
})

/** Spreadsheets and Python write `TRUE` and `True`; what is neither true nor false is refused with its record. */
function truthOf(cell: string | undefined): unknown {
  const plain = cell?.toLowerCase()
  return plain === 'true' || plain === 'false' ? plain === 'true' : cell
}

function propertyOf({ property }: SearchFileHints): string {
  if (property === null) throw needs(`name the property that it is about (${PROPERTY_FORMS})`)
  checkProperty(property)
  return property
}

const each = (items: readonly unknown[], read: (raw: unknown) => SearchRow): ReadSearchRow[] =>
  items.map((raw, at) => one(at + 1, () => read(raw)))

function eachRow(table: CsvTable, read: (cells: Readonly<Record<string, string>>) => SearchRow | AiReportRow) {
  const faulty = table.faulty.map(
    ({ line, message }): ReadSearchRow => ({ place: line, fault: new RecordFault('unreadable', message) }),
  )
  const rows = table.rows.map(({ line, cells }) => one(line, () => read(cells)))
  return [...rows, ...faulty].sort((a, b) => a.place - b.place)
}

function one(place: number, read: () => SearchRow | AiReportRow): ReadSearchRow {
  try {
    const row = read()
    return 'kind' in row ? { place, ai: row } : { place, row }
  } catch (fault) {
    if (fault instanceof RecordFault) return { place, fault }
    throw fault
  }
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new Refusal('not_readable', 'The file is not UTF-8: convert it first.', { cause })
  }
}

const needs = (what: string) => new Refusal('invalid_input', `The file cannot be read: ${what}.`)
