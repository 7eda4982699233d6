/**
 * CloudFront's real-time log as Kinesis writes it into files: tab-separated values without names, of which the first is
 * the time in seconds. The operator chooses the fields. Without names only the full list can be recognized; any other
 * list needs a `#Fields` line before it.
 */
import { type ColumnReader, readColumns } from './columns.ts'
import type { FileState, LineFormat, LineOutcome } from './format.ts'
import type { LogRecord } from './record.ts'

export const cloudFrontRealtime: LineFormat = {
  name: 'cloudfront real-time',
  reads: (line) => /^\d{10}(?:\.\d{1,6})?\t[^\t]+\t/.test(line),
  read,
  isOfEdge: () => true,
}

/** All fields in the order in which CloudFront writes them. */
export const REALTIME_FIELDS = [
  'timestamp',
  'c-ip',
  'time-to-first-byte',
  'sc-status',
  'sc-bytes',
  'cs-method',
  'cs-protocol',
  'cs-host',
  'cs-uri-stem',
  'cs-bytes',
  'x-edge-location',
  'x-edge-request-id',
  'x-host-header',
  'time-taken',
  'cs-protocol-version',
  'c-ip-version',
  'cs-user-agent',
  'cs-referer',
  'cs-cookie',
  'cs-uri-query',
  'x-edge-response-result-type',
  'x-forwarded-for',
  'ssl-protocol',
  'ssl-cipher',
  'x-edge-result-type',
  'fle-encrypted-fields',
  'fle-status',
  'sc-content-type',
  'sc-content-len',
  'sc-range-start',
  'sc-range-end',
  'c-port',
  'x-edge-detailed-result-type',
  'c-country',
  'cs-accept-encoding',
  'cs-accept',
  'cache-behavior-path-pattern',
  'cs-headers',
  'cs-header-names',
  'cs-headers-count',
]

/** Values whose form identifies the full list. */
const FORMS: readonly (readonly [string, RegExp])[] = [
  ['sc-status', /^\d{3}$/],
  ['cs-method', /^[A-Z]{3,16}$/],
  ['cs-protocol', /^(?:https?|wss?)$/],
  ['cs-uri-stem', /^\//],
  ['cs-protocol-version', /^HTTP\/\d/],
  ['c-ip-version', /^IPv[46]$/],
]

/** CloudFront adds newer fields at the end. */
const MAX_VALUES = 64

function read(line: string, into: LogRecord, file: FileState): LineOutcome {
  const values = line.split('\t', MAX_VALUES)
  const column: ColumnReader = (name) => values[REALTIME_FIELDS.indexOf(name)]
  if (!FORMS.every(([name, form]) => form.test(column(name) ?? ''))) return 'unknown_layout'
  const outcome = readColumns(column, into, file, 'percent')
  into.cut_off = true
  return outcome
}
