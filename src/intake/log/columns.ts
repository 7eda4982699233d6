/** Reads the columns of W3C extended logs by name: IIS, CloudFront and others write different ones differently. */
import { trimBlanks } from './blanks.ts'
import { MAX_ENCODED_LENGTH, percentDecoded, plusDecoded } from './decode.ts'
import type { FileState, LineOutcome } from './format.ts'
import { firstText, statusOf, timeOf, utc } from './json/values.ts'
import { fillRecord } from './named-request.ts'
import type { LogRecord } from './record.ts'

/** The columns that a `#Fields:` directive names, computed once for all lines after it. */
export interface NamedColumns {
  count: number
  /** Index by lower-case name; of equal names the first. */
  places: ReadonlyMap<string, number>
  /** Index of the user agent under any of its names; -1 if there is none. */
  agent: number
}

/** The value of a column by its lower-case name; undefined if the line has none. */
export type ColumnReader = (name: string) => string | undefined

/** A column that only CloudFront writes, in each of its layouts. */
export const EDGE_COLUMN = 'x-edge-location'

/** How blanks in values are encoded: `+` (IIS), %20 once or twice (CloudFront), or not at all (quoted values). */
export type ValueEncoding = 'plus' | 'percent' | 'plain'

/** The columns that a `#Fields:` directive names, within the limits; null for any other line. */
export function columnsOf(directive: string): NamedColumns | null {
  const text = trimBlanks(directive.slice(0, MAX_DIRECTIVE_LENGTH))
  if (!/^#Fields:/i.test(text)) return null
  const names = trimBlanks(text.slice('#Fields:'.length))
    .toLowerCase()
    .split(/[ \t]+/, MAX_COLUMNS)
  const places = new Map<string, number>()
  for (const [place, name] of names.entries()) if (!places.has(name)) places.set(name, place)
  return { count: names.length, places, agent: names.findIndex((name) => /user[-_]agent/.test(name)) }
}

/** Servers have a few dozen columns; lines after a longer directive are malformed. */
const MAX_COLUMNS = 256
const MAX_DIRECTIVE_LENGTH = 16_384

/** Fills a record from named columns. W3C times are UTC, unless the name of the column says local. */
export function readColumns(
  column: ColumnReader,
  into: LogRecord,
  file: FileState,
  encoding: ValueEncoding,
): LineOutcome {
  const at = findTime(column, file)
  if (typeof at === 'string') return at
  into.at = at
  const agent = AGENT.map(column).find((value) => value !== undefined)
  if (agent === undefined) return 'no_user_agent'
  const uri = URI.map(column).find((value) => value !== undefined)
  if (uri === undefined) return 'request_without_path'
  // Incapsula writes host and path in one column, without a scheme.
  const slash = uri.slice(0, MAX_HOST_LENGTH).indexOf('/')
  const joined = slash > 0 && DOTTED.test(uri.slice(0, slash))
  return fillRecord(into, {
    at,
    method: firstText(column('cs-method')),
    target: targetOf(joined ? uri.slice(slash) : uri, encoding),
    status: statusOf(firstText(column('sc-status'), column('c-status'))),
    host: firstText(...HOST.map(column), joined ? uri.slice(0, slash) : undefined),
    user_agent: agentOf(agent, encoding),
    client: firstText(column('c-ip')),
    // CloudFront's other results do not say whether the edge refused.
    edge_action: column('x-edge-detailed-result-type') === 'ClientGeoBlocked' ? 'block' : null,
  })
}

const AGENT = ['cs(user-agent)', 'cs-user-agent', 'csuser-agent', 'cs(user_agent)']
const URI = ['cs-uri-stem', 'cs-uri', 'cs-uri-path']
/** CloudFront's cs(Host) is its own name for the distribution; x-host-header is the requested host. */
const HOST = ['x-host-header', 'cs-host', 'cs(host)']
const DOTTED = /^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)+$/
const MAX_HOST_LENGTH = 260

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

/** CloudFront encodes the percent sign of escapes that the client sent, which stay escapes. */
function targetOf(uri: string, encoding: ValueEncoding): string {
  return encoding === 'percent' ? uri.replace(/%25(?=[0-9A-Fa-f]{2})/g, '%') : uri
}

function agentOf(whole: string, encoding: ValueEncoding): string {
  const value = whole.slice(0, MAX_ENCODED_LENGTH)
  if (encoding === 'plain' || value === '-') return value
  const text = encoding === 'plus' ? plusDecoded(value) : value
  return percentDecoded(text)
}
