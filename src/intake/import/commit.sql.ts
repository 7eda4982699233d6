/**
 * Turns staged rows into facts, some days of one month at a time, because an insert has one partition and is in memory.
 */
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
  /** Times of the log have no zone: an earlier import with another zone may have stored its lines at other instants. */
  has_local_times: boolean
  /** The import has further inserts into the month, whose parts the engine merges in any case. */
  is_one_of_several?: boolean
}

const Day = Type.Object({
  name: Type.String(),
  month: Type.Integer(),
  rows: count(),
  /** Of their paths and user agents. */
  bytes: count(),
  /** The newest staged instant of the day, epoch milliseconds. */
  through: count(),
})
export type StagedDay = Static<typeof Day>

/** The days that a delivery's staged rows fall into, ascending. */
export const stagedDays = (deliveryId: string) => rows(Day)`
  SELECT toString(day) AS name, toYYYYMM(day) AS month, count() AS rows, sum(length(path) + length(user_agent)) AS bytes,
    toUInt64(max(at_ms)) AS through
  FROM spoor.import_rows
  WHERE delivery_id = ${uuid(deliveryId)}
  GROUP BY day
  ORDER BY day`

const staged = (m: StagedDays): Fragment => sql`
  delivery_id = ${uuid(m.delivery_id)} AND toYYYYMM(day) = ${uint(m.month)} AND day BETWEEN ${day(m.from_day)} AND ${day(m.to_day)}`

/** The number of staged rows of these days. */
export const stagedRows = (m: StagedDays) => rows(Type.Object({ rows: count() }))`
  SELECT count() AS rows FROM spoor.import_rows WHERE ${staged(m)}`

/**
 * Lines that occur several times. There are few, and only they need the window for ordinals, which sorts every column.
 */
const repeated = (m: StagedDays): Fragment => sql`
  SELECT line_hash FROM spoor.import_rows
  WHERE ${staged(m)}
  GROUP BY line_hash
  HAVING count() > 1`

/**
 * Staged rows with their identity: the line's content and its ordinal among identical lines of the file (rules 4).
 * Identical lines have the same instant, and therefore the same day. If a file consists of them, the join spills to
 * disk.
 */
const identified = (m: StagedDays): Fragment => sql`
  SELECT *, day, reinterpretAsUInt128(sipHash128(line_hash, ifNull(ordinal, toUInt64(1)))) AS event
  FROM (SELECT *, day FROM spoor.import_rows WHERE ${staged(m)}) AS lines
  ANY LEFT JOIN (
    SELECT line_number, row_number() OVER (PARTITION BY line_hash ORDER BY line_number) AS ordinal
    FROM spoor.import_rows
    WHERE ${staged(m)} AND line_hash IN (${repeated(m)})
  ) AS ordinals USING (line_number)`

/** Time zones differ by at most 30 hours, so that the same line is stored at most two days away. */
const WITHIN_DAYS = sql``
const DAYS_OFF = { before: sql` - 2`, after: sql` + 2` }
const off = ({ has_local_times }: StagedDays, side: keyof typeof DAYS_OFF): Fragment =>
  has_local_times ? DAYS_OFF[side] : WITHIN_DAYS

/** The facts among which lines of these days may already be stored. */
const storedWhere = (m: StagedDays): Fragment => sql`
  site_id = ${uuid(m.site_id)} AND day BETWEEN ${day(m.from_day)}${off(m, 'before')} AND ${day(m.to_day)}${off(m, 'after')}`

const alreadyStored = (m: StagedDays): Fragment => sql`SELECT event FROM spoor.requests WHERE ${storedWhere(m)}`

const Moved = Type.Object({ lines: count(), to: count() })

/**
 * Lines that are stored at other instants than this import reads: their number, and their newest instant in this
 * import. Equal lines have the same instant, so that the first one is enough.
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

/** The number of rows that the delivery has stored for these days, by agent. */
export const countStored = (m: StagedDays) => rows(AgentCount)`
  SELECT toString(agent_key) AS agent_key, count() AS stored
  FROM spoor.requests
  WHERE site_id = ${uuid(m.site_id)} AND day BETWEEN ${day(m.from_day)} AND ${day(m.to_day)} AND delivery_id = ${uuid(m.delivery_id)}
  GROUP BY agent_key
  ORDER BY agent_key`

/** Inserts the names of pages of these days, of any months, before the facts that refer to them. */
export const insertPages = (m: StagedSpan): Fragment => sql`
  INSERT INTO spoor.pages (site_id, page_id, host, path, path_fidelity, path_class)
  SELECT ${uuid(m.site_id)}, page_id, any(host), any(path), any(path_fidelity), any(path_class)
  FROM (SELECT cityHash64(host, path) AS page_id, host, path, path_fidelity, path_class
        FROM spoor.import_rows
        WHERE delivery_id = ${uuid(m.delivery_id)} AND day BETWEEN ${day(m.from_day)} AND ${day(m.to_day)}) AS lines
  GROUP BY page_id`

/** Rows of an insert have different keys, so that the engine need not merge them with each other. */
const WITHOUT_MERGE = sql`, optimize_on_insert = 0`
const NOTHING = sql``

/** Inserts the new rows of these days as facts. */
export const insertFacts = (m: StagedDays, receivedAt: number): Fragment => sql`
  INSERT INTO spoor.requests
    (site_id, day, event, at, precision, source_id, delivery_id, reading, requests, provider_estimate,
     host, path, path_fidelity, path_class, status, status_raw, method, edge_action, user_agent, agent_key, received_at)
  SELECT
    ${uuid(m.site_id)}, day, event, fromUnixTimestamp64Milli(at_ms, 'UTC'), 'exact', ${uuid(m.source_id)}, delivery_id, 0, 1, NULL,
    host, path, path_fidelity, path_class, status, status_raw, method, edge_action, user_agent, agent_key, ${instant(receivedAt)}
  FROM (${identified(m)}) AS identified
  WHERE event NOT IN (${alreadyStored(m)})
  SETTINGS join_algorithm = 'grace_hash', max_bytes_in_join = 104857600${m.is_one_of_several ? WITHOUT_MERGE : NOTHING}`
