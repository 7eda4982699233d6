/** A heartbeat proves that a quiet time was quiet (decisions 3.5): the sender was up and would have delivered what came. */
import { DAY_MS } from '#clock.ts'
import { belongsTo } from '#sites/root-domain.ts'
import type { RejectionCode } from './answer.ts'
import { hostOf } from './fields.ts'
import { FIRST_INSTANT, type JsonObject, MOST_AHEAD_MS } from './record.ts'
import { readTimestamp } from './timestamp.ts'
import type { Heartbeat } from './watch.ts'

const LONGEST_MS = 7 * DAY_MS

/** `{"type": "heartbeat", …}`, in every dialect. */
export function isHeartbeat(json: JsonObject): boolean {
  return json.type === 'heartbeat'
}

/** `covered_from`, `covered_to`, and optionally the one `host` it speaks of; what lies after now is cut off. */
export function readHeartbeat(json: JsonObject, root_domain: string, now: number): Heartbeat | RejectionCode {
  const from = Math.floor(readTimestamp(json.covered_from))
  const to = Math.floor(readTimestamp(json.covered_to))
  const is_valid =
    from >= FIRST_INSTANT && from < to && to <= now + MOST_AHEAD_MS && to - from <= LONGEST_MS && from < now
  if (!is_valid) return 'heartbeat_invalid'
  const { host: given } = json
  if (given === undefined || given === null || given === '*') return { from, to: Math.min(to, now), host: '*' }
  const host = typeof given === 'string' ? hostOf(given) : null
  if (host === null || !belongsTo(host, root_domain)) return 'heartbeat_host'
  return { from, to: Math.min(to, now), host }
}
