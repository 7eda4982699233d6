/** The columns of W3C extended logs by their names: IIS, CloudFront and others differ only in which they write and how. */
import { percentDecoded } from './decode.ts'
import type { FileState, Outcome } from './format.ts'
import { firstText, statusOf, timeOf, utc } from './json/values.ts'
import { fillRecord } from './named-request.ts'
import type { LogRecord } from './record.ts'

/** Names in order, lower case. */
export type Columns = readonly string[]

/** The value of a column by its lower-case name; undefined when the line has none. */
export type ColumnReader = (name: string) => string | undefined

/** How blanks inside values are written: `+` (IIS), %20 once or twice (CloudFront), or as they are (quoted values). */
export type ValueEncoding = 'plus' | 'percent' | 'plain'

/** The columns that a `#Fields:` directive names; null for any other line. */
export function columnsOf(directive: string): Columns | null {
  const found = /^\s*#Fields:\s*(.*?)\s*$/i.exec(directive)
  return found === null ? null : (found[1] as string).toLowerCase().split(/\s+/)
}

/** Fills a record from named columns. W3C times are UTC, except those that call themselves local. */
export function readColumns(column: ColumnReader, into: LogRecord, file: FileState, encoding: ValueEncoding): Outcome {
  const at = findTime(column, file)
  if (typeof at === 'string') return at
  into.at = at
  const agent = AGENT.map(column).find((value) => value !== undefined)
  if (agent === undefined) return 'no_user_agent'
  const uri = URI.map(column).find((value) => value !== undefined)
  if (uri === undefined) return 'request_without_path'
  // Incapsula writes host and path together, without a scheme.
  const joined = /^([A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)+)(\/.*)$/.exec(uri)
  return fillRecord(into, {
    at,
    method: firstText(column('cs-method')),
    target: targetOf(joined === null ? uri : (joined[2] as string), encoding),
    status: statusOf(firstText(column('sc-status'), column('c-status'))),
    host: firstText(...HOST.map(column), joined?.[1]),
    user_agent: agentOf(agent, encoding),
    client: firstText(column('c-ip')),
  })
}

const AGENT = ['cs(user-agent)', 'cs-user-agent', 'csuser-agent', 'cs(user_agent)']
const URI = ['cs-uri-stem', 'cs-uri', 'cs-uri-path']
/** CloudFront's cs(Host) is its own name for the distribution; x-host-header is what the visitor asked. */
const HOST = ['x-host-header', 'cs-host', 'cs(host)']

function findTime(column: ColumnReader, file: FileState): number | 'no_timestamp' | 'bad_timestamp' {
  const together = (date: string, time: string) => {
    const parts = [column(date), column(time)]
    return parts.includes(undefined) ? null : parts.join(' ')
  }
  const at = together('date', 'time')
  if (at !== null) return timeOf(at, utc)
  const local = together('date-local', 'time-local')
  if (local !== null) return timeOf(local, file.zone)
  return timeOf(firstText(column('timestamp(ms)'), column('timestamp')), utc)
}

/** CloudFront encodes the percent sign of an escape that the visitor sent; the escape itself stays. */
function targetOf(uri: string, encoding: ValueEncoding): string {
  return encoding === 'percent' ? uri.replace(/%25(?=[0-9A-Fa-f]{2})/g, '%') : uri
}

function agentOf(value: string, encoding: ValueEncoding): string {
  if (encoding === 'plain' || value === '-') return value
  // IIS writes a plus for a blank and for a plus; before a URL, after a blank or bracket, it was a real one.
  const text = encoding === 'plus' ? value.replace(/\+(?!(?<=[+(]\+)https?:)/g, ' ') : value
  return percentDecoded(text)
}
