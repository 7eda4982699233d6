/** The dialects of records: the generic record, or a vendor's own form (`?dialect=`, decisions 3.5). */

import { anyLogDialect } from './any-log-dialect.ts'
import { cloudFrontRealtimeDialect } from './cloudfront-realtime.ts'
import { readRecord } from './read-generic-record.ts'
import type { IntakeRecord, JsonRecord, RecordOutcome } from './record.ts'
import { akamaiDialect, logpushDialect, vercelDialect } from './vendor-dialects.ts'

export interface Dialect {
  /** Values are parsed as binary strings, for the log readers (see intake/log/decode.ts). */
  is_binary: boolean
  /** Whether its records are of the edge of a CDN; for a dialect with several kinds of records: any so far. */
  readonly sees_edge: boolean
  /** Fills the record from a JSON object, or returns why it is not one. */
  read(json: JsonRecord, into: IntakeRecord): RecordOutcome
  /** The values inside of an object that is an envelope; null: it is a record. */
  unpack?(json: JsonRecord): unknown[] | null
  /** Removes the envelope of a whole body. */
  unwrap?(chunks: AsyncIterable<Buffer>): AsyncIterable<Buffer>
  /** Whether a line is neither a record nor an error, for example the word with which a provider tests an address. */
  isWord?(line: string): boolean
}

export const DIALECTS = ['cloudflare_logpush', 'vercel', 'fastly', 'cloudfront_realtime', 'akamai', 'vector'] as const
export type DialectName = (typeof DIALECTS)[number]

/**
 * The reader of a batch; null: generic records. `fields`: names of tab-separated columns, if the dialect has columns.
 */
export function openDialect(name: DialectName | null, fields: readonly string[] | null): Dialect {
  switch (name) {
    case null:
      return { is_binary: false, sees_edge: false, read: readRecord }
    case 'cloudflare_logpush':
      return logpushDialect()
    case 'vercel':
      return vercelDialect()
    case 'akamai':
      return akamaiDialect()
    case 'cloudfront_realtime':
      return cloudFrontRealtimeDialect(fields)
    case 'fastly':
      return { ...anyLogDialect(), sees_edge: true }
    case 'vector':
      return anyLogDialect()
  }
}
