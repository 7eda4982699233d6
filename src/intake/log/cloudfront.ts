/** CloudFront's standard log without its header: tab-separated columns in this order, fewer in older files. */
import { readColumns } from './columns.ts'
import type { LineFormat } from './format.ts'

export const cloudFront: LineFormat = {
  name: 'cloudfront',
  reads: (line) => /^\d{4}-\d\d-\d\d\t\d\d:\d\d:\d\d\t[A-Z]{3}[\w-]*\t(?:\d+|-)\t/.test(line),
  read: (line, into, file) => {
    const values = line.split('\t', COLUMNS.length)
    const outcome = readColumns((name) => values[COLUMNS.indexOf(name)], into, file, 'percent')
    // Nothing shows where the last column ends, nor how many columns there are.
    into.cut_off = true
    return outcome
  },
  isOfEdge: () => true,
}

/** The first sixteen of 33; the others are not needed. */
const COLUMNS = [
  'date',
  'time',
  'x-edge-location',
  'sc-bytes',
  'c-ip',
  'cs-method',
  'cs(host)',
  'cs-uri-stem',
  'sc-status',
  'cs(referer)',
  'cs(user-agent)',
  'cs-uri-query',
  'cs(cookie)',
  'x-edge-result-type',
  'x-edge-request-id',
  'x-host-header',
]
