import Type from 'typebox'
import { exceptParts, nameOfPart, unionActiveParts } from '#derived/part-sums.sql.ts'
import { count, day as date, instant, list, rows, sql, text, uint, uuid } from '#evidence/sql.ts'

/**
 * Identifies the labels of a registry version by a sum of hashes for each span of time in which their agents were first
 * seen, ascending. Agents that were first seen before `from` (epoch milliseconds) are in the span of `from`.
 */
export const labelsBySpan = (registry_version: string, from: number, span_seconds: number) => rows(
  Type.Object({ span: Type.Integer(), sum: Type.String() }),
)`
  SELECT
    toUInt32(intDiv(toUnixTimestamp(greatest(ifNull(first_at, ${instant(from)}), ${instant(from)})), ${uint(span_seconds)})) AS span,
    toString(sum(cityHash64(agent_key, crawler_id, purpose, identity, scope))) AS sum
  FROM (
    SELECT agent_key, crawler_id, purpose, identity, scope
    FROM spoor.agent_labels FINAL
    WHERE registry_version = ${text(registry_version)}
  ) AS labels
  LEFT JOIN (SELECT agent_key, min(first_seen) AS first_at FROM spoor.agents GROUP BY agent_key) AS agents USING (agent_key)
  GROUP BY span
  ORDER BY span`

/** The instant of the last request of these days, epoch milliseconds, whether it counts or not; 0 if there is none. */
export const lastRequest = (site_id: string, days: readonly string[]) => rows(Type.Object({ last_ms: count() }))`
  SELECT toUInt64(toUnixTimestamp64Milli(max(at))) AS last_ms
  FROM spoor.requests
  WHERE site_id = ${uuid(site_id)} AND day IN ${list('Date', days)}`

/** Sites with at least `min_requests` rows of requests on a day; at most `limit`, those with the most rows. */
export const largeDays = (day: string, min_requests: number, limit: number) => rows(
  Type.Object({ site_id: Type.String() }),
)`
  SELECT toString(site_id) AS site_id
  FROM spoor.requests
  WHERE day = ${date(day)}
  GROUP BY site_id
  HAVING count() >= ${uint(min_requests)}
  ORDER BY count() DESC
  LIMIT ${uint(limit)}`

const Received = Type.Object({
  part: Type.String(),
  span: Type.Integer(),
  rows: count(),
  sum: Type.String(),
  last_ms: count(),
})

/**
 * Identifies the facts of a day for each span of the time of their receipt, and for each part of the table except the
 * `known` ones, or for all parts together: their number, a sum of hashes of their ids and receipts, and the instant of
 * the last one, epoch milliseconds. A merge that keeps another receipt of a fact changes the sum, but not the number.
 */
export const receivedFacts = (site_id: string, day: string, span_seconds: number, known: readonly string[] | null) =>
  rows(Received)`
  SELECT ${nameOfPart(known)} AS part,
    toUInt32(intDiv(toUnixTimestamp(received_at), ${uint(span_seconds)})) AS span, count() AS rows,
    toString(sum(cityHash64(event, received_at))) AS sum, toUInt64(toUnixTimestamp64Milli(max(at))) AS last_ms
  FROM spoor.requests
  WHERE site_id = ${uuid(site_id)} AND day = ${date(day)} ${exceptParts(known)}
  GROUP BY part, span
  ${unionActiveParts(known, 'requests', sql`0, 0, '0', 0`)}`
