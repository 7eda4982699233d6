/** W3C extended log lines after a `#Fields` directive, which may change (IIS, CloudFront, Incapsula, NetScaler). */
import { type ColumnReader, EDGE_COLUMN, type NamedColumns, readColumns } from './columns.ts'
import type { FileState, LineFormat, LineOutcome } from './format.ts'
import { iisHeaderless } from './iis-headerless.ts'
import type { LogRecord } from './record.ts'

export const w3c: LineFormat = {
  name: 'w3c',
  reads,
  read,
  isOfEdge: (_line, { columns }) => columns?.places.has(EDGE_COLUMN) === true,
}

/** A line of another layout may be among them; its time is in brackets. */
function reads(line: string, file: FileState): boolean {
  return file.columns !== null && DATE.test(line) && !CLF_TIME.test(line)
}

const DATE = /(?:^|[\t "])\d{4}-\d\d-\d\d(?:[\t "]|$)|(?:^|[\t "])\d{10}(?:\d{3}|\.\d{1,6})?[\t "]/
const CLF_TIME = /\[\d\d\/[A-Z][a-z]{2}\/\d{4}:/

function read(line: string, into: LogRecord, file: FileState): LineOutcome {
  const columns = file.columns as NamedColumns
  const tabs = line.includes('\t')
  const values = tabs ? line.split('\t', columns.count + 1) : valuesOf(line, columns.count + 1)
  // Tab-separated rows may lack their last columns; in rows with blanks a missing value would shift all later ones.
  if (values.length > columns.count || (!tabs && values.length < columns.count)) {
    return iisHeaderless.reads(line, file) ? iisHeaderless.read(line, into, file) : 'columns_unlike_header'
  }
  const agent = values[columns.agent] ?? ''
  const encoding_of_words = agent.startsWith('"') || agent.includes(' ') ? 'plain' : 'plus'
  const encoding = tabs ? 'percent' : encoding_of_words
  const outcome = readColumns(columnReader(columns, values), into, file, encoding)
  // Only quotes show where the last value ends.
  into.cut_off = values.length < columns.count || !isQuoted(values.at(-1) as string)
  return outcome
}

function columnReader(columns: NamedColumns, values: readonly string[]): ColumnReader {
  return (name) => {
    const value = values[columns.places.get(name) ?? -1]
    return value !== undefined && isQuoted(value) ? value.slice(1, -1).replaceAll('""', '"') : value
  }
}

function isQuoted(value: string): boolean {
  return value.length >= 2 && value.startsWith('"') && value.endsWith('"')
}

/** The first values of a line, at most `max`. A quoted value may contain blanks. */
function valuesOf(line: string, max: number): string[] {
  const values: string[] = []
  for (let at = 0; at < line.length && values.length < max; ) {
    if (line[at] === ' ') {
      at += 1
      continue
    }
    const blank = line.indexOf(' ', at)
    const end = quotedEnd(line, at) ?? (blank < 0 ? line.length : blank)
    values.push(line.slice(at, end))
    at = end
  }
  return values
}

/** Offset after the quote that closes the value at `at`; undefined if not quoted. Quotes inside are doubled. */
function quotedEnd(line: string, at: number): number | undefined {
  if (line[at] !== '"') return undefined
  for (let quote = line.indexOf('"', at + 1); quote >= 0; quote = line.indexOf('"', quote + 2)) {
    const next = line[quote + 1]
    if (next === undefined || next === ' ') return quote + 1
    if (next !== '"') return undefined
  }
  return undefined
}
