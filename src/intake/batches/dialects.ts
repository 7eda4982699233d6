/** The dialects of records: the generic record, or a vendor's own form (`?dialect=`, decisions 3.5). */

import { anyLogDialect } from './any-log-dialect.ts'
import { cloudFrontRealtimeDialect } from './cloudfront-realtime.ts'
import { readRecord } from './read-generic-record.ts'
import type { IntakeRecord, JsonRecord, RecordOutcome } from './record.ts'
import { akamaiDialect, logpushDialect, vercelDialect } from './vendor-dialects.ts'

export interface Dialect {
  /** The values are parsed with binary strings, as the log readers take them (see intake/log/decode.ts). */
  is_binary: boolean
  /** Its records say what a CDN's edge answered; where records of many kinds are taken, whether one did so far. */
  readonly sees_edge: boolean
  /** Fills the record from one JSON object, or says what that is instead. */
  read(json: JsonRecord, into: IntakeRecord): RecordOutcome
  /** What an object carries in place of being a record; null when it is one. */
  unpack?(json: JsonRecord): unknown[] | null
  /** Takes the envelope off a whole body. */
  unwrap?(chunks: AsyncIterable<Buffer>): AsyncIterable<Buffer>
  /** A line that is not a record and no fault, for example the word by which a service tries an address. */
  isWord?(line: string): boolean
}

export const DIALECTS = ['cloudflare_logpush', 'vercel', 'fastly', 'cloudfront_realtime', 'akamai', 'vector'] as const
export type DialectName = (typeof DIALECTS)[number]

/** The reader of one batch; null: generic records. `fields` names tab-separated columns, where a dialect has them. */
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
