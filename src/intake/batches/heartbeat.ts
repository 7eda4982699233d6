/** A heartbeat proves that a time without requests had none: the sender was up (decisions 3.5). */
import { DAY_MS } from '#clock.ts'
import { belongsTo } from '#sites/root-domain.ts'
import type { RejectionCode } from './batch-answer.ts'
import type { Heartbeat } from './batch-coverage.ts'
import { readHost } from './fields.ts'
import { FIRST_INSTANT, type JsonRecord, MAX_RECORD_AHEAD_MS } from './record.ts'
import { readTimestamp } from './timestamp.ts'

const MAX_HEARTBEAT_MS = 7 * DAY_MS

/** `{"type": "heartbeat", …}`, in every dialect. */
export function isHeartbeat(json: JsonRecord): boolean {
  return json.type === 'heartbeat'
}

/** Reads `covered_from`, `covered_to` and, optionally, `host`; time after now is cut off. */
export function readHeartbeat(json: JsonRecord, root_domain: string, now: number): Heartbeat | RejectionCode {
  const from = Math.floor(readTimestamp(json.covered_from))
  const to = Math.floor(readTimestamp(json.covered_to))
  const is_valid =
    from >= FIRST_INSTANT && from < to && to <= now + MAX_RECORD_AHEAD_MS && to - from <= MAX_HEARTBEAT_MS && from < now
  if (!is_valid) return 'heartbeat_invalid'
  const { host: given } = json
  if (given === undefined || given === null || given === '*') return { from, to: Math.min(to, now), host: '*' }
  const host = typeof given === 'string' ? readHost(given) : null
  if (host === null || !belongsTo(host, root_domain)) return 'heartbeat_host'
  return { from, to: Math.min(to, now), host }
}
