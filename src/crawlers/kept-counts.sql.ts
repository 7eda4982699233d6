import Type from 'typebox'
import { count, instant, list, rows, text, uuid } from '#evidence/sql.ts'

/** One number for all labels of a registry version: another one when an agent got a label or another identity. */
export const labelsNow = (registry_version: string) => rows(Type.Object({ digest: Type.String() }))`
  SELECT toString(groupBitXor(cityHash64(agent_key, crawler_id, purpose, identity, scope))) AS digest
  FROM spoor.agent_labels FINAL
  WHERE registry_version = ${text(registry_version)}`

/**
 * The instant of the last request of these days, epoch milliseconds, whether it counts or not; 0 where there is none.
 */
export const lastRequest = (site_id: string, days: readonly string[]) => rows(Type.Object({ last_ms: count() }))`
  SELECT toUInt64(toUnixTimestamp64Milli(max(at))) AS last_ms
  FROM spoor.requests
  WHERE site_id = ${uuid(site_id)} AND day IN ${list('Date', days)}`

const Received = Type.Object({ before: Type.String(), now: Type.String() })

/**
 * What names the facts of these days that were received before one instant, and before another (epoch milliseconds).
 */
export const received = (site_id: string, days: readonly string[], before: number, now: number) => rows(Received)`
  SELECT
    concat(toString(countIf(received_at < ${instant(before)})), ' ',
      toString(sumIf(cityHash64(event, received_at), received_at < ${instant(before)}))) AS before,
    concat(toString(count()), ' ', toString(sum(cityHash64(event, received_at)))) AS now
  FROM spoor.requests
  WHERE site_id = ${uuid(site_id)} AND day IN ${list('Date', days)} AND received_at < ${instant(now)}`
