/** From staged rows to facts, one month at a time, because one insert may touch only one partition. */
import Type from 'typebox'
import { count, day, type Fragment, instant, rows, sql, uint, uuid } from '#evidence/sql.ts'

export interface StagedMonth {
  delivery_id: string
  site_id: string
  source_id: string
  /** For example 202605. */
  month: number
  from_day: string
  to_day: string
}

const Month = Type.Object({
  month: Type.Integer(),
  days: Type.Array(Type.String()),
  /** Newest staged instant of the month, epoch milliseconds. */
  through: count(),
})

/** The months that a delivery's staged rows fall into, with their days. */
export const stagedMonths = (deliveryId: string) => rows(Month)`
  SELECT toYYYYMM(day) AS month, arraySort(groupUniqArray(toString(day))) AS days, toUInt64(max(at_ms)) AS through
  FROM spoor.import_rows
  WHERE delivery_id = ${uuid(deliveryId)}
  GROUP BY month
  ORDER BY month`

/**
 * Staged rows with their identity: the line's content plus its ordinal among identical lines of the file (rules 4).
 * Identical lines carry the same instant and so lie in the same month.
 */
const identified = (m: StagedMonth): Fragment => sql`
  SELECT
    *,
    day,
    reinterpretAsUInt128(sipHash128(line_hash, row_number() OVER (PARTITION BY line_hash ORDER BY line_number))) AS event
  FROM spoor.import_rows
  WHERE delivery_id = ${uuid(m.delivery_id)} AND toYYYYMM(day) = ${uint(m.month)}`

const alreadyStored = (m: StagedMonth): Fragment => sql`
  SELECT event FROM spoor.requests
  WHERE site_id = ${uuid(m.site_id)} AND day BETWEEN ${day(m.from_day)} AND ${day(m.to_day)}`

const AgentCount = Type.Object({ agent_key: Type.String(), fresh: count(), known: count() })

/** How many rows of a month are new and how many were stored before, by agent. */
export const countIdentified = (m: StagedMonth) => rows(AgentCount)`
  SELECT toString(agent_key) AS agent_key, countIf(event NOT IN (${alreadyStored(m)})) AS fresh, countIf(event IN (${alreadyStored(m)})) AS known
  FROM (${identified(m)}) AS identified
  GROUP BY agent_key
  ORDER BY agent_key`

/** Names of the pages that a month's rows speak of; written before the facts that need them. */
export const insertPages = (m: StagedMonth): Fragment => sql`
  INSERT INTO spoor.pages (site_id, page_id, host, path, path_fidelity, path_class)
  SELECT DISTINCT ${uuid(m.site_id)}, cityHash64(host, path), host, path, path_fidelity, path_class
  FROM spoor.import_rows
  WHERE delivery_id = ${uuid(m.delivery_id)} AND toYYYYMM(day) = ${uint(m.month)}`

/** The new rows of a month as facts. */
export const insertFacts = (m: StagedMonth, receivedAt: number): Fragment => sql`
  INSERT INTO spoor.requests
    (site_id, day, event, at, precision, source_id, delivery_id, reading, requests, provider_estimate,
     host, path, path_fidelity, path_class, status, status_raw, method, user_agent, agent_key, received_at)
  SELECT
    ${uuid(m.site_id)}, day, event, fromUnixTimestamp64Milli(at_ms, 'UTC'), 'exact', ${uuid(m.source_id)}, delivery_id, 0, 1, NULL,
    host, path, path_fidelity, path_class, status, status_raw, method, user_agent, agent_key, ${instant(receivedAt)}
  FROM (${identified(m)}) AS identified
  WHERE event NOT IN (${alreadyStored(m)})`
