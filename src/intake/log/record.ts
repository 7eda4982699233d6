/** The record of a line of an access log, and the reasons why a line is malformed. */
import { decodeText, unescapeField } from './decode.ts'
import type { EdgeAction } from './edge-action.ts'

/**
 * A request as its line has it. Readers reuse one object, so copy values that are needed after the next line. `source`
 * is the binary string to which the `*_start` and `*_end` offsets refer.
 */
export interface LogRecord {
  /** Epoch milliseconds. */
  at: number
  /** The normalised host of the line; null: it has none, an address or localhost. */
  host: string | null
  /** Null: no response was observed (rules 2). */
  status: number | null
  /** The logged number, also 444 and 499; null: the field is not a number. */
  status_raw: number | null
  /** Decoded text without escapes; empty for `-` and an empty field. */
  user_agent: string
  /** The action of the edge; null: the line does not say. */
  edge_action: EdgeAction | null
  source: string
  request_start: number
  request_end: number
  client_start: number
  client_end: number
  /** Everything after the agent field. */
  tail_start: number
  tail_end: number
  /** The line may be cut: its last field has no end, or may continue. Only the last line of a file may be cut. */
  cut_off: boolean
  /** The verdict of the provider whose format this is (rules 4); null in all other formats. */
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

/** The request line as the client sent it, a binary string without the quoting of the log, for readRequest. */
export function requestOf(record: LogRecord): string {
  return unescapeField(record.source.slice(record.request_start, record.request_end))
}

/** The client as logged: an address, perhaps truncated or with a port, a name, or `-`. */
export function clientOf(record: LogRecord): string {
  return clientText(record.source.slice(record.client_start, record.client_end))
}

/** The client from its field, a binary string. */
export function clientText(field: string): string {
  return decodeText(field.slice(0, MAX_CLIENT_LENGTH))
}

/** A client without the port behind it, which some logs write after an IPv6 address without brackets, too. */
export function withoutPort(client: string): string {
  return client.replace(/:\d{1,5}$/, '')
}

/** Why a line is malformed: all codes, and their texts for people. */
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
