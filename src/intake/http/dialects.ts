/** How the records of a batch are written: the generic record, or a vendor's own. Asked for by `?dialect=` (decisions 3.5). */
import { readRecord } from './read-record.ts'
import type { IntakeRecord, JsonObject, Reading } from './record.ts'

export interface Dialect {
  /** Fills the record from one JSON object, or says what that is instead. */
  read(json: JsonObject, into: IntakeRecord): Reading
}

export const DIALECTS = ['cloudflare_logpush', 'vercel', 'fastly', 'cloudfront_realtime', 'akamai', 'vector'] as const
export type DialectName = (typeof DIALECTS)[number]

export const GENERIC: () => Dialect = () => ({ read: readRecord })
