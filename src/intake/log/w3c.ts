/** W3C extended log lines under the `#Fields` of their file, which may change in the middle (IIS, CloudFront, Incapsula, NetScaler). */
import { type ColumnReader, readColumns } from './columns.ts'
import type { FileState, LineFormat, Outcome } from './format.ts'
import { iisHeaderless } from './iis-headerless.ts'
import type { LogRecord } from './record.ts'

export const w3c: LineFormat = { name: 'w3c', reads, read }

/** A line of another layout may stand among them; it has its time in brackets. */
function reads(line: string, file: FileState): boolean {
  return file.columns !== null && DATE.test(line) && !CLF_TIME.test(line)
}

const DATE = /(?:^|[\t "])\d{4}-\d\d-\d\d(?:[\t "]|$)|(?:^|[\t "])\d{10}(?:\d{3})?[\t "]/
const CLF_TIME = /\[\d\d\/[A-Z][a-z]{2}\/\d{4}:/

function read(line: string, into: LogRecord, file: FileState): Outcome {
  const columns = file.columns ?? []
  const tabs = line.includes('\t')
  const values = tabs ? line.split('\t') : (line.match(VALUE) ?? [])
  // Tab-separated rows may lack their last columns; with blanks a missing value would shift all that follow.
  if (values.length > columns.length || (!tabs && values.length < columns.length)) {
    return iisHeaderless.reads(line, file) ? iisHeaderless.read(line, into, file) : 'columns_unlike_header'
  }
  const agent = values[columns.findIndex((name) => /user[-_]agent/.test(name))]
  const encoding = tabs ? 'percent' : agent?.startsWith('"') || agent?.includes(' ') ? 'plain' : 'plus'
  return readColumns(columnReader(columns, values), into, file, encoding)
}

/** A quoted value may hold blanks; a quote inside it is doubled. */
const VALUE = /"(?:[^"]|"")*"(?=[ ]|$)|[^ ]+/g

export function columnReader(columns: readonly string[], values: readonly string[]): ColumnReader {
  return (name) => {
    const value = values[columns.indexOf(name)]
    if (value === undefined || !value.startsWith('"') || !value.endsWith('"') || value.length < 2) return value
    return value.slice(1, -1).replaceAll('""', '"')
  }
}
