import { areOfBuilds, type BuildOfDay } from '#derived/builds.sql.ts'
import { type Fragment, list, sql, uint64, uuid } from '#evidence/sql.ts'
import { inCountingReadings } from './counting-readings.ts'

/** What a build is derived from: days of a site, and the readings of providers' hours that count on them. */
export interface BuildOf {
  site_id: string
  days: readonly string[]
  readings: readonly number[]
  build: number
}

const factsOf = ({ site_id, days, readings }: BuildOf): Fragment => sql`
  FROM spoor.requests FINAL
  WHERE site_id = ${uuid(site_id)} AND day IN ${list('Date', days)} AND ${inCountingReadings(readings)}`

/** Every insert of a build; each touches one partition, so that a crash leaves all of its rows or none. */
export const insertCrawlerBuild = (of: BuildOf): Fragment[] => [
  insertCrawlerDaily(of),
  insertPageDaily(of),
  insertPageOutcomesDaily(of),
]

/** Requests of these days by host, agent, status and path class. */
const insertCrawlerDaily = (of: BuildOf): Fragment => sql`
  INSERT INTO spoor.crawler_daily (site_id, day, build, source_id, host, agent_key, status, path_class, requests)
  SELECT site_id, day, ${uint64(of.build)}, source_id, host, agent_key, status, path_class, sum(requests)
  ${factsOf(of)}
  GROUP BY site_id, day, source_id, host, agent_key, status, path_class`

/** Requests of these days by page and agent, with how many of their responses were observed. */
const insertPageDaily = (of: BuildOf): Fragment => sql`
  INSERT INTO spoor.page_daily (site_id, day, build, source_id, host, page_id, agent_key, requests, observed, last_at)
  SELECT site_id, day, ${uint64(of.build)}, source_id, host, page_id, agent_key, sum(requests), sumIf(requests, status != 0), max(at)
  ${factsOf(of)}
  GROUP BY site_id, day, source_id, host, page_id, agent_key`

/** Issue detection distinguishes these: it looks at GET, GET and HEAD, or all. Logs without a method say `UNKNOWN`. */
const METHOD_CLASS = sql`multiIf(method = 'GET', 'get', method = 'HEAD', 'head', method IN ('', 'UNKNOWN'), 'unknown', 'other')`

/** Requests of these days by page, agent, outcome and method, with their first and last instant. */
const insertPageOutcomesDaily = (of: BuildOf): Fragment => sql`
  INSERT INTO spoor.page_outcomes_daily (site_id, day, build, source_id, host, page_id, agent_key, status, method_class, edge_action,
    requests, first_at, last_at)
  SELECT site_id, day, ${uint64(of.build)}, source_id, host, page_id, agent_key, status, ${METHOD_CLASS} AS method_class,
    edge_action, sum(requests), min(at), max(at)
  ${factsOf(of)}
  GROUP BY site_id, day, source_id, host, page_id, agent_key, status, method_class, edge_action`

const BUILT: readonly Fragment[] = [sql`spoor.crawler_daily`, sql`spoor.page_daily`, sql`spoor.page_outcomes_daily`]

/** Deletes builds that no longer count; no answer sees their rows any more. */
export const deleteRollUpBuilds = (builds: readonly BuildOfDay[]): Fragment[] =>
  BUILT.map((table) => sql`DELETE FROM ${table} WHERE ${areOfBuilds(builds)}`)
