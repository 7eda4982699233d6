/** From staged rows to facts, some days of one month at a time: an insert has one partition, held in memory. */
import Type, { type Static } from 'typebox'
import { count, day, type Fragment, instant, rows, sql, uint, uuid } from '#evidence/sql.ts'

export interface StagedDays {
  delivery_id: string
  site_id: string
  source_id: string
  /** For example 202605. */
  month: number
  from_day: string
  to_day: string
}

const Day = Type.Object({
  name: Type.String(),
  month: Type.Integer(),
  rows: count(),
  /** Newest staged instant of the day, epoch milliseconds. */
  through: count(),
})
export type StagedDay = Static<typeof Day>

/** The days that a delivery's staged rows fall into, ascending. */
export const stagedDays = (deliveryId: string) => rows(Day)`
  SELECT toString(day) AS name, toYYYYMM(day) AS month, count() AS rows, toUInt64(max(at_ms)) AS through
  FROM spoor.import_rows
  WHERE delivery_id = ${uuid(deliveryId)}
  GROUP BY day
  ORDER BY day`

const staged = (m: StagedDays): Fragment => sql`
  delivery_id = ${uuid(m.delivery_id)} AND toYYYYMM(day) = ${uint(m.month)} AND day BETWEEN ${day(m.from_day)} AND ${day(m.to_day)}`

/**
 * Staged rows with their identity: the line's content plus its ordinal among identical lines of the file (rules 4).
 * Identical lines carry the same instant and so lie in the same day. The window begins like the table's order.
 */
const identified = (m: StagedDays): Fragment => sql`
  SELECT
    *,
    day,
    reinterpretAsUInt128(sipHash128(line_hash, row_number() OVER (PARTITION BY delivery_id, toYYYYMM(day), line_hash ORDER BY line_number))) AS event
  FROM spoor.import_rows
  WHERE ${staged(m)}`

const alreadyStored = (m: StagedDays): Fragment => sql`
  SELECT event FROM spoor.requests
  WHERE site_id = ${uuid(m.site_id)} AND day BETWEEN ${day(m.from_day)} AND ${day(m.to_day)}`

const AgentCount = Type.Object({ agent_key: Type.String(), fresh: count(), known: count() })

/** How many rows of some days are new and how many were stored before, by agent. */
export const countIdentified = (m: StagedDays) => rows(AgentCount)`
  SELECT toString(agent_key) AS agent_key, countIf(event NOT IN (${alreadyStored(m)})) AS fresh, countIf(event IN (${alreadyStored(m)})) AS known
  FROM (${identified(m)}) AS identified
  GROUP BY agent_key
  ORDER BY agent_key`

/** Names of the pages that the rows of some days speak of; written before the facts that need them. */
export const insertPages = (m: StagedDays): Fragment => sql`
  INSERT INTO spoor.pages (site_id, page_id, host, path, path_fidelity, path_class)
  SELECT DISTINCT ${uuid(m.site_id)}, cityHash64(host, path), host, path, path_fidelity, path_class
  FROM spoor.import_rows
  WHERE ${staged(m)}`

/** The new rows of some days as facts. */
export const insertFacts = (m: StagedDays, receivedAt: number): Fragment => sql`
  INSERT INTO spoor.requests
    (site_id, day, event, at, precision, source_id, delivery_id, reading, requests, provider_estimate,
     host, path, path_fidelity, path_class, status, status_raw, method, edge_action, user_agent, agent_key, received_at)
  SELECT
    ${uuid(m.site_id)}, day, event, fromUnixTimestamp64Milli(at_ms, 'UTC'), 'exact', ${uuid(m.source_id)}, delivery_id, 0, 1, NULL,
    host, path, path_fidelity, path_class, status, status_raw, method, edge_action, user_agent, agent_key, ${instant(receivedAt)}
  FROM (${identified(m)}) AS identified
  WHERE event NOT IN (${alreadyStored(m)})`
