import { areOfBuilds, type BuildOfDay } from '#derived/builds.sql.ts'
import { type Fragment, list, sql, tuples, uint64, uuid } from '#evidence/sql.ts'
import { inCountingReadings } from './counting-readings.ts'

/** What a build is derived from: days of a site, and the readings of providers' hours that count on them. */
export interface BuildOf {
  site_id: string
  days: readonly string[]
  readings: readonly number[]
  build: number
}

/** The builds of a site's days in one month, ascending by day. */
export interface BuildsOfMonth {
  site_id: string
  builds: readonly { day: string; build: number }[]
}

/** The inserts of a build, in order; each touches one partition, so that a crash leaves all of its rows or none. */
export const insertCrawlerBuild = (of: BuildOf): Fragment[] => [insertPageOutcomesDaily(of), insertCrawlerDaily(of)]

/** Issue detection distinguishes these: it looks at GET, GET and HEAD, or all. Logs without a method say `UNKNOWN`. */
const METHOD_CLASS = sql`multiIf(method = 'GET', 'get', method = 'HEAD', 'head', method IN ('', 'UNKNOWN'), 'unknown', 'other')`

/**
 * Requests of these days by page, agent, outcome and method, with their first and last instant: the one read of the
 * facts, which costs most of a build.
 */
const insertPageOutcomesDaily = ({ site_id, days, build, readings }: BuildOf): Fragment => sql`
  INSERT INTO spoor.page_outcomes_daily (site_id, day, build, source_id, host, page_id, agent_key, status, method_class, edge_action,
    path_class, requests, first_at, last_at)
  SELECT site_id, day, ${uint64(build)}, source_id, host, page_id, agent_key, status, ${METHOD_CLASS} AS method_class,
    edge_action, path_class, sum(requests), min(at), max(at)
  FROM spoor.requests FINAL
  WHERE site_id = ${uuid(site_id)} AND day IN ${list('Date', days)} AND ${inCountingReadings(readings)}
  GROUP BY site_id, day, source_id, host, page_id, agent_key, status, method_class, edge_action, path_class`

/** Requests of these days by host, agent, status and path class, out of the rows above. */
const insertCrawlerDaily = ({ site_id, days, build }: BuildOf): Fragment => sql`
  INSERT INTO spoor.crawler_daily (site_id, day, build, source_id, host, agent_key, status, path_class, requests)
  SELECT site_id, day, build, source_id, host, agent_key, status, path_class, sum(requests)
  FROM spoor.page_outcomes_daily
  WHERE site_id = ${uuid(site_id)} AND day IN ${list('Date', days)} AND build = ${uint64(build)}
  GROUP BY site_id, day, build, source_id, host, agent_key, status, path_class`

const BUILT: readonly Fragment[] = [sql`spoor.crawler_daily`, sql`spoor.page_outcomes_daily`]

/** Deletes builds that no longer count; no answer sees their rows any more. */
export const deleteRollUpBuilds = (builds: readonly BuildOfDay[]): Fragment[] =>
  BUILT.map((table) => sql`DELETE FROM ${table} WHERE ${areOfBuilds(builds)}`)

/** Adds up the rows of a month's builds. */
export const insertMonth = ({ site_id, builds }: BuildsOfMonth, build: number): Fragment => sql`
  INSERT INTO spoor.page_monthly (site_id, month, build, source_id, host, page_id, agent_key, status, requests, first_at, last_at)
  SELECT site_id, toStartOfMonth(day) AS month, ${uint64(build)}, source_id, host, page_id, agent_key, status,
    sum(requests), min(first_at), max(last_at)
  FROM spoor.page_outcomes_daily
  WHERE site_id = ${uuid(site_id)} AND (day, build) IN ${tuples(
    'Tuple(Date, UInt64)',
    builds.map((row) => [row.day, String(row.build)]),
  )}
  GROUP BY site_id, month, source_id, host, page_id, agent_key, status`

/** Deletes sums of months that no longer count. */
export const deleteMonthBuilds = (builds: readonly BuildOfDay[]): Fragment =>
  sql`DELETE FROM spoor.page_monthly WHERE ${areOfBuilds(builds, sql`month`)}`
