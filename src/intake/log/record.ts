/** What one line of an access log becomes: a record, or a malformed line with a reason from a closed list. */
import { decodeText, unescapeField } from './decode.ts'
import type { EdgeAction } from './edge-action.ts'

/**
 * One request as its line shows it. Readers fill and reuse a single object, so copy what must outlive the next line.
 * `source` is the binary string that the `*_start` and `*_end` offsets point into.
 */
export interface LogRecord {
  /** Epoch milliseconds. */
  at: number
  /** Normalised host of the line's own host field; null when it has none, an address or localhost. */
  host: string | null
  /** Null when no response was observed (rules 2). */
  status: number | null
  /** The number as logged, 444 and 499 included; null when the field is not a number. */
  status_raw: number | null
  /** Unescaped, real text; empty for `-` and an empty field. */
  user_agent: string
  /** What the edge itself did to the request; null where the line does not say. */
  edge_action: EdgeAction | null
  source: string
  request_start: number
  request_end: number
  client_start: number
  client_end: number
  /** Everything after the agent field. */
  tail_start: number
  tail_end: number
  /** The line may be cut: its last field has no end, or may go on. Only a file's last line may be so. */
  cut_off: boolean
  /** The verdict of the provider whose own format this is (rules 4); null in every other format. */
  verified_bot: { provider: string } | null
}

/** A record for readers to fill. */
export function emptyRecord(): LogRecord {
  return {
    at: 0,
    host: null,
    status: null,
    status_raw: null,
    user_agent: '',
    edge_action: null,
    source: '',
    request_start: 0,
    request_end: 0,
    client_start: 0,
    client_end: 0,
    tail_start: 0,
    tail_end: 0,
    cut_off: false,
    verified_bot: null,
  }
}

/** The request line as the client sent it, still a binary string, quoting of the log removed. Input of readRequest. */
export function requestOf(record: LogRecord): string {
  return unescapeField(record.source.slice(record.request_start, record.request_end))
}

/** The client field as logged: an address, perhaps cut or with a port, a name, or `-`. */
export function clientOf(record: LogRecord): string {
  return clientText(record.source.slice(record.client_start, record.client_end))
}

/** The same from the field alone, a binary string. */
export function clientText(field: string): string {
  return decodeText(field.slice(0, MAX_CLIENT_LENGTH))
}

/** A client without the port behind it, which some logs write after an IPv6 address without brackets, too. */
export function withoutPort(client: string): string {
  return client.replace(/:\d{1,5}$/, '')
}

/** Why a line is malformed: the closed list of codes and the words a person reads. */
export const MALFORMED = {
  no_user_agent: 'the line has no user agent field (common log format, or a header the log leaves out?)',
  no_timestamp: 'the line has no time where its layout has one',
  bad_timestamp: 'the time of the line is not a readable date',
  time_ahead: 'the time of the line lies more than 24 hours ahead',
  no_status: 'the line has no status after its request',
  status_invalid: 'the status of the line is a number above 999',
  error_log_line: 'the line comes from an error log, not from an access log',
  unknown_json: 'the line is JSON of an unknown layout',
  json_broken: 'the line looks like JSON but is not valid',
  several_records:
    'the line holds several records: put each on a line of its own (a list is read only where the file begins with it)',
  columns_unlike_header: 'the line has other columns than the #Fields before it',
  line_too_long: 'the line is longer than 1 MiB',
  line_cut_off:
    'the line ends in the middle of a field, or it is the last one and has no line end that shows it to be whole',
  request_empty: 'the request field is empty',
  request_not_http: 'the request is not an HTTP request',
  request_without_path: 'the request names no path',
  unknown_layout: 'the line does not show for certain which of its fields are request, status, host and user agent',
  not_an_access_log_line: 'the line has no known access log layout',
} as const

export type MalformedCode = keyof typeof MALFORMED

/** Longer than any name. */
const MAX_CLIENT_LENGTH = 1_024
