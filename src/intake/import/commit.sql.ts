/** From staged rows to facts, some days of one month at a time: an insert has one partition, held in memory. */
import Type, { type Static } from 'typebox'
import { count, day, type Fragment, instant, rows, sql, uint, uuid } from '#evidence/sql.ts'

export interface StagedSpan {
  delivery_id: string
  site_id: string
  from_day: string
  to_day: string
}

export interface StagedDays extends StagedSpan {
  source_id: string
  /** For example 202605. */
  month: number
  /** Times of the log carry no zone: an earlier import with another one stored its lines at other instants. */
  has_local_times: boolean
  /** Further inserts of this import go into the month, whose parts the engine then puts together anyway. */
  is_one_of_several: boolean
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

/** Lines that occur several times in the days: hardly any, while a window over all rows would sort every column. */
const repeated = (m: StagedDays): Fragment => sql`
  SELECT line_hash FROM spoor.import_rows
  WHERE ${staged(m)}
  GROUP BY line_hash
  HAVING count() > 1`

/**
 * Staged rows with their identity: the line's content plus its ordinal among identical lines of the file (rules 4).
 * Identical lines carry the same instant and so lie in the same day. A file may consist of them: then the join spills.
 */
const identified = (m: StagedDays): Fragment => sql`
  SELECT *, day, reinterpretAsUInt128(sipHash128(line_hash, ifNull(ordinal, toUInt64(1)))) AS event
  FROM (SELECT *, day FROM spoor.import_rows WHERE ${staged(m)}) AS lines
  ANY LEFT JOIN (
    SELECT line_number, row_number() OVER (PARTITION BY line_hash ORDER BY line_number) AS ordinal
    FROM spoor.import_rows
    WHERE ${staged(m)} AND line_hash IN (${repeated(m)})
  ) AS ordinals USING (line_number)`

/** Zones are at most 30 hours apart, so that the same line lies at most two days off. */
const WITHIN_DAYS = sql``
const DAYS_OFF = { before: sql` - 2`, after: sql` + 2` }
const off = ({ has_local_times }: StagedDays, side: keyof typeof DAYS_OFF): Fragment =>
  has_local_times ? DAYS_OFF[side] : WITHIN_DAYS

/** Where the days' lines can be stored already. */
const storedWhere = (m: StagedDays): Fragment => sql`
  site_id = ${uuid(m.site_id)} AND day BETWEEN ${day(m.from_day)}${off(m, 'before')} AND ${day(m.to_day)}${off(m, 'after')}`

const alreadyStored = (m: StagedDays): Fragment => sql`SELECT event FROM spoor.requests WHERE ${storedWhere(m)}`

const Moved = Type.Object({ lines: count(), to: count() })

/**
 * Lines of some days that are stored at other instants than this import reads: how many, and until when in this one.
 * Of equal lines, which have one instant, the first stands for all.
 */
export const movedLines = (m: StagedDays) => rows(Moved)`
  WITH reinterpretAsUInt128(sipHash128(line_hash, toUInt64(1))) AS event
  SELECT count() AS lines, toUInt64(max(at_ms)) AS to
  FROM spoor.import_rows
  WHERE ${staged(m)}
    AND event IN (${alreadyStored(m)})
    AND (event, fromUnixTimestamp64Milli(at_ms, 'UTC')) NOT IN (SELECT event, at FROM spoor.requests WHERE ${storedWhere(m)})`

const AgentCount = Type.Object({ agent_key: Type.String(), stored: count() })
export type AgentCount = Static<typeof AgentCount>

/** How many rows of some days the delivery has stored, by agent. */
export const countStored = (m: StagedDays) => rows(AgentCount)`
  SELECT toString(agent_key) AS agent_key, count() AS stored
  FROM spoor.requests
  WHERE site_id = ${uuid(m.site_id)} AND day BETWEEN ${day(m.from_day)} AND ${day(m.to_day)} AND delivery_id = ${uuid(m.delivery_id)}
  GROUP BY agent_key
  ORDER BY agent_key`

/** Names of the pages that the rows of some days speak of, of any months; written before the facts that need them. */
export const insertPages = (m: StagedSpan): Fragment => sql`
  INSERT INTO spoor.pages (site_id, page_id, host, path, path_fidelity, path_class)
  SELECT ${uuid(m.site_id)}, page_id, any(host), any(path), any(path_fidelity), any(path_class)
  FROM (SELECT cityHash64(host, path) AS page_id, host, path, path_fidelity, path_class
        FROM spoor.import_rows
        WHERE delivery_id = ${uuid(m.delivery_id)} AND day BETWEEN ${day(m.from_day)} AND ${day(m.to_day)}) AS lines
  GROUP BY page_id`

/** Rows of an insert differ in their keys, so that nothing has to be replaced among them. */
const AS_THEY_ARE = sql`, optimize_on_insert = 0`
const NOTHING = sql``

/** The new rows of some days as facts. */
export const insertFacts = (m: StagedDays, receivedAt: number): Fragment => sql`
  INSERT INTO spoor.requests
    (site_id, day, event, at, precision, source_id, delivery_id, reading, requests, provider_estimate,
     host, path, path_fidelity, path_class, status, status_raw, method, edge_action, user_agent, agent_key, received_at)
  SELECT
    ${uuid(m.site_id)}, day, event, fromUnixTimestamp64Milli(at_ms, 'UTC'), 'exact', ${uuid(m.source_id)}, delivery_id, 0, 1, NULL,
    host, path, path_fidelity, path_class, status, status_raw, method, edge_action, user_agent, agent_key, ${instant(receivedAt)}
  FROM (${identified(m)}) AS identified
  WHERE event NOT IN (${alreadyStored(m)})
  SETTINGS join_algorithm = 'grace_hash', max_bytes_in_join = 104857600${m.is_one_of_several ? AS_THEY_ARE : NOTHING}`
