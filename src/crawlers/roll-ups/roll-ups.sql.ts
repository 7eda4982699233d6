import Type, { type Static } from 'typebox'
import { type BuildOfDay, inBuildsOfDays } from '#derived/builds.sql.ts'
import { count, day as date, type Fragment, list, ONE_THREAD, rows, sql, tuples, uint64, uuid } from '#evidence/sql.ts'
import type { PageNumbers } from './build-pieces.ts'
import { inCountingReadings } from './counting-readings.ts'

/** A build: days of a site, and the readings of providers' hours that count on them. */
export interface DaysBuild {
  site_id: string
  days: readonly string[]
  readings: readonly number[]
  build: number
  /** Leaves the other processor to another insert or to answers; a single thread need not merge groups. */
  has_one_thread: boolean
}

/** Days of a build whose rows are inserted at once. */
export interface BuildPiece extends DaysBuild {
  /** False if no fact of these days is stored twice: removing repeats costs as much as grouping. */
  has_repeats: boolean
  /** One thread groups the rows in one hash table, because they are few (`fitOneTable`). */
  has_one_table: boolean
}

/** The builds of a site's days in one month, ascending by day. */
export interface BuildsOfMonth {
  site_id: string
  /** The first day of the month. */
  day: string
  builds: readonly { day: string; build: number }[]
}

/**
 * A source and a host as one number, a hash of 64 bits like the id of a page. Rows are grouped by it, because keys of
 * at most 32 bytes in all are grouped faster than texts (docs/benchmarks.md).
 */
const SLICE = sql`cityHash64(source_id) + cityHash64(host)`

/** Source and host of each slice that occurs in these rows of a table. */
const slicesOf = (table: Fragment, where: Fragment): Fragment => sql`
    SELECT source_id, host, ${SLICE} AS slice FROM ${table} WHERE ${where} LIMIT 1 BY slice`

/**
 * Settings at the end of a statement that groups in one hash table. By default the engine divides 100,000 groups and
 * more into 256 tables, which help a single thread only to spill them to disk.
 */
const ONE_TABLE: Fragment = sql`${ONE_THREAD}, group_by_two_level_threshold = 0, group_by_two_level_threshold_bytes = 0`

const DayFacts = Type.Object({ name: Type.String(), facts: count(), is_in_one_part: count() })
export type DayFacts = Static<typeof DayFacts>

/**
 * The number of stored facts of each day, repeats included, and whether (1) they are all in one part of the table, in
 * which every fact is stored once. Days without facts have no row.
 */
export const factsByDay = ({ site_id, days }: DaysBuild) => rows(DayFacts)`
  SELECT toString(day) AS name, count() AS facts, toUInt64(min(_part_index) = max(_part_index)) AS is_in_one_part
  FROM spoor.requests
  WHERE site_id = ${uuid(site_id)} AND day IN ${list('Date', days)}
  GROUP BY day`

const Day = Type.Object({ name: Type.String() })

/**
 * Days on which a fact may be stored twice, in parts that are not merged yet; of every reading, because the first
 * receipt counts whatever its reading. Events are compared by half of their id, which takes half of the time: a day on
 * which two events share it is named although no fact is repeated.
 */
export const repeatedDays = ({ site_id, days }: DaysBuild) => rows(Day)`
  SELECT toString(day) AS name
  FROM spoor.requests
  WHERE site_id = ${uuid(site_id)} AND day IN ${list('Date', days)}
  GROUP BY day
  HAVING uniqExact(toUInt64(event)) < count()`

/** The method classes of issue detection, as the numbers of `method_class`: get, head, unknown in the log, other. */
const METHOD_CLASS = sql`CAST(transform(method, ['GET', 'HEAD', '', 'UNKNOWN'], [1, 2, 4, 4], 3) AS UInt8)`

/**
 * Requests of these days by page, agent, outcome and method, with their first and last instant: the only read of the
 * facts, which takes most of the time of a build. It writes one partition, so that a crash leaves all of its rows or
 * none.
 */
export const insertPageOutcomes = (piece: BuildPiece): Fragment => {
  const { site_id, days, build, readings } = piece
  const where = sql`site_id = ${uuid(site_id)} AND day IN ${list('Date', days)} AND ${inCountingReadings(readings)}`
  return sql`
  INSERT INTO spoor.page_outcomes_daily (site_id, day, build, source_id, host, page_id, agent_key, status, method_class, edge_action,
    path_class, requests, first_at, last_at)
  SELECT ${uuid(site_id)}, day, ${uint64(build)}, source_id, host, page_id, agent_key, status, method_number, nullIf(edge_number, 0),
    path_class, requests, first_at, last_at
  FROM (
    SELECT day, page_id, agent_key, status, method_number, edge_number, path_class, slice,
      sum(requests) AS requests, min(at) AS first_at, max(at) AS last_at
    FROM spoor.requests${piece.has_repeats ? sql` FINAL` : sql``}
    WHERE ${where}
    GROUP BY day, page_id, agent_key, status, ${METHOD_CLASS} AS method_number, ifNull(toUInt8(edge_action), 0) AS edge_number,
      path_class, ${SLICE} AS slice
  ) AS outcomes
  INNER JOIN (${slicesOf(sql`spoor.requests`, where)}
  ) AS slices USING (slice)${settingsOf(piece)}`
}

/** A condition for the rows of a piece, in each of its tables. */
export const inPiece = ({ site_id, days, build }: DaysBuild): Fragment =>
  sql`site_id = ${uuid(site_id)} AND day IN ${list('Date', days)} AND build = ${uint64(build)}`

function settingsOf({ has_one_thread, has_one_table }: BuildPiece): Fragment {
  if (!has_one_thread) return sql``
  return has_one_table ? ONE_TABLE : ONE_THREAD
}

/** Requests of these days by host, agent, status and path class, from the rows of `insertPageOutcomes`. */
export const insertCrawlerDaily = (piece: DaysBuild): Fragment => sql`
  INSERT INTO spoor.crawler_daily (site_id, day, build, source_id, host, agent_key, status, path_class, requests)
  SELECT ${uuid(piece.site_id)}, day, ${uint64(piece.build)}, any(source_id), any(host), agent_key, status, path_class, sum(requests)
  FROM spoor.page_outcomes_daily
  WHERE ${inPiece(piece)}
  GROUP BY day, agent_key, status, path_class, ${SLICE}${piece.has_one_thread ? ONE_THREAD : sql``}`

const BUILD_TABLES: readonly Fragment[] = [sql`spoor.crawler_daily`, sql`spoor.page_outcomes_daily`]

/** Deletes builds that no longer count, once no answer can still read them. */
export const deleteRollUpBuilds = (builds: readonly BuildOfDay[]): Fragment[] =>
  BUILD_TABLES.map((table) => sql`DELETE FROM ${table} WHERE ${inBuildsOfDays(builds)}`)

const inBuildsOfMonth = ({ site_id, builds }: BuildsOfMonth): Fragment => sql`
  site_id = ${uuid(site_id)} AND (day, build) IN ${tuples(
    'Tuple(Date, UInt64)',
    builds.map((row) => [row.day, String(row.build)]),
  )}`

/** The number of rows of a month's builds. */
export const rowsOfMonth = (month: BuildsOfMonth) => rows(Type.Object({ built: count() }))`
  SELECT count() AS built FROM spoor.page_outcomes_daily WHERE ${inBuildsOfMonth(month)}`

/**
 * Adds up the rows of a month's builds for a range of pages, while another insert adds up others. Slices are read from
 * `crawler_daily`, in which a build has the same ones.
 */
export const insertMonth = (month: BuildsOfMonth, build: number, pages: PageNumbers): Fragment => {
  const where = inBuildsOfMonth(month)
  return sql`
  INSERT INTO spoor.page_monthly (site_id, month, build, source_id, host, page_id, agent_key, status, requests, first_at, last_at)
  SELECT ${uuid(month.site_id)}, ${date(month.day)}, ${uint64(build)}, source_id, host, page_id, agent_key, status, requests, first_at, last_at
  FROM (
    SELECT page_id, agent_key, status, slice,
      sum(requests) AS requests, min(first_at) AS first_at, max(last_at) AS last_at
    FROM spoor.page_outcomes_daily
    WHERE ${where} AND page_id BETWEEN ${uint64(pages.first)} AND ${uint64(pages.last)}
    GROUP BY page_id, agent_key, status, ${SLICE} AS slice
  ) AS sums
  INNER JOIN (${slicesOf(sql`spoor.crawler_daily`, where)}
  ) AS slices USING (slice)${ONE_TABLE}`
}

/** A condition for the rows of a month's build in a range of pages. */
export const inPagesOfMonth = (build: BuildOfDay, pages: PageNumbers): Fragment =>
  sql`${inBuildsOfDays([build], sql`month`)} AND page_id BETWEEN ${uint64(pages.first)} AND ${uint64(pages.last)}`

/** Deletes sums of months that no longer count. */
export const deleteMonthBuilds = (builds: readonly BuildOfDay[]): Fragment =>
  sql`DELETE FROM spoor.page_monthly WHERE ${inBuildsOfDays(builds, sql`month`)}`
