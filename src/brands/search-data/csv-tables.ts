/** CSV files that people save from search engines: exports by page or query, and reports about AI answers. */

import type { AiReportSource } from '#contract/vocabulary.ts'
import { quoted } from '#foreign-text.ts'
import { Refusal } from '#refusal.ts'
import { RecordFault } from '../answers/answer-record.ts'
import { csvRecords, separatorOf } from '../answers/csv-records.ts'
import {
  type AiReportRow,
  amountField,
  dayField,
  dimensionsOf,
  numbersOf,
  pageField,
  type SearchRow,
} from './search-row.ts'

export interface CsvTable {
  header: readonly string[]
  rows: readonly CsvRow[]
  /** Rows whose cells are not known: with more or fewer fields than the header, or with a quote that is not closed. */
  faulty: readonly FaultyRow[]
}

interface CsvRow {
  line: number
  cells: Readonly<Record<string, string>>
}

interface FaultyRow {
  line: number
  message: string
}

/** A table with its header; separated by commas, or by semicolons where the header has no comma. */
export function readCsvTable(text: string): CsvTable {
  const [head, ...records] = csvRecords(text, separatorOf(text))
  if (head === undefined) throw unreadable('It is empty.')
  if (head.fault !== null) throw unreadable(head.fault)
  const header = head.fields.map((name) => name.trim())
  if (new Set(header).size < header.length) throw unreadable('It has a column twice.')
  const rows: CsvRow[] = []
  const faulty: FaultyRow[] = []
  for (const { line, fields, fault } of records) {
    if (fault !== null) faulty.push({ line, message: fault })
    else if (fields.length !== header.length) {
      faulty.push({ line, message: `The record has ${fields.length} fields, and the header ${header.length}.` })
    } else {
      const cells = Object.fromEntries(header.map((name, at) => [name, withoutGuard(fields[at] as string)]))
      rows.push({ line, cells })
    }
  }
  return { header, rows, faulty }
}

/** Exporters put a quote before values that a spreadsheet would read as a formula. */
const withoutGuard = (cell: string) => (/^'[=+\-@]/.test(cell) ? cell.slice(1) : cell)

/** The first column of a tab that Search Console exports, and what it is. */
const TABS: Readonly<Record<string, 'page' | 'query' | 'day'>> = {
  'Top pages': 'page',
  Page: 'page',
  'Top queries': 'query',
  Query: 'query',
  Date: 'day',
}
const TAB_COLUMNS = ['Clicks', 'Impressions', 'CTR', 'Position']

export interface ExportedPeriod {
  property: string
  /** The period of tabs without days; null: not given. */
  period: { from: string; to: string } | null
}

/**
 * Whether these are the columns of a tab and no others: by a further one, such as `Country`, its rows would be of
 * another set, and those of one page would replace each other.
 */
export const isSearchConsoleTab = ([first = '', ...numbers]: readonly string[]): boolean =>
  Object.hasOwn(TABS, first) &&
  numbers.length === TAB_COLUMNS.length &&
  TAB_COLUMNS.every((name) => numbers.includes(name))

/** One row of a tab. @throws RecordFault. */
export function readTabRow(
  cells: Readonly<Record<string, string>>,
  header: readonly string[],
  { property, period }: ExportedPeriod,
): SearchRow {
  const first = header[0] as string
  const kind = TABS[first] as 'page' | 'query' | 'day'
  const day = kind === 'day' ? dayField({ Date: cells.Date }, 'Date') : period?.from
  if (day === undefined) throw new Error('a tab without days has a period')
  return {
    source: 'google',
    property,
    search_type: 'web',
    day,
    last_day: kind === 'day' ? day : (period?.to ?? day),
    is_weekly: false,
    is_final: true,
    country: null,
    device: null,
    page: kind === 'page' ? pageField({ [first]: cells[first] }, first) : null,
    query: kind === 'query' ? (cells[first] ?? null) : null,
    ...numbersOf({ clicks: cells.Clicks, impressions: cells.Impressions, position: cells.Position }),
    dimensions: dimensionsOf((name) => name === kind),
  }
}

/** Whether the tab has a column of days, so that no period must be given. */
export const hasDays = (header: readonly string[]): boolean => TABS[header[0] ?? ''] === 'day'

const PAGE_COLUMNS = ['Page', 'URL']
const QUERY_COLUMNS = ['Grounding Query', 'Grounding query']
const SUBJECT_COLUMNS = [...PAGE_COLUMNS, ...QUERY_COLUMNS, 'Date']
const OTHER_COLUMNS = ['Citations', 'Impressions', 'Citation Share', 'Topic', 'Intent', 'Cited Pages']

/** Whether these are the columns of a report about AI answers: what its rows are about is the first of them alone. */
export function isAiReport([first = '', ...others]: readonly string[]): boolean {
  const numbers = others.filter((name) => name === 'Citations' || name === 'Impressions')
  return numbers.length === 1 && SUBJECT_COLUMNS.includes(first) && others.every((name) => OTHER_COLUMNS.includes(name))
}

export interface AiReportPeriod {
  source: AiReportSource
  from: string
  to: string
}

/** One row of a report about AI answers. @throws RecordFault. */
export function readAiReportRow(
  cells: Readonly<Record<string, string>>,
  header: readonly string[],
  { source, from, to }: AiReportPeriod,
): AiReportRow {
  const first = header[0] as string
  const day = first === 'Date' ? dayField({ Date: cells.Date }, 'Date') : null
  const is_impressions = header.includes('Impressions')
  const count = amountField(cells, is_impressions ? 'Impressions' : 'Citations')
  if (count === null) throw new RecordFault('missing', `${is_impressions ? 'Impressions' : 'Citations'} is missing.`)
  return {
    kind: is_impressions ? 'ai_impressions' : 'ai_citations',
    source,
    from: day ?? from,
    to: day ?? to,
    page: PAGE_COLUMNS.includes(first) ? pageField({ [first]: cells[first] }, first) : null,
    grounding_query: QUERY_COLUMNS.includes(first) ? (cells[first] ?? null) : null,
    citations: is_impressions ? null : count,
    impressions: is_impressions ? count : null,
  }
}

export const unreadable = (detail: string) => new Refusal('not_readable', `The file cannot be read. ${detail}`)
export const quotedHeader = (header: readonly string[]) => quoted(header.join(','))
