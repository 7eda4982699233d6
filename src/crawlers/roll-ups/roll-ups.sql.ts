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

/** Requests of these days by host, agent, status and path class. */
export const insertCrawlerDaily = (of: BuildOf): Fragment => sql`
  INSERT INTO spoor.crawler_daily (site_id, day, build, source_id, host, agent_key, status, path_class, requests)
  SELECT site_id, day, ${uint64(of.build)}, source_id, host, agent_key, status, path_class, sum(requests)
  ${factsOf(of)}
  GROUP BY site_id, day, source_id, host, agent_key, status, path_class`

/** Requests of these days by page and agent, with how many of their responses were observed. */
export const insertPageDaily = (of: BuildOf): Fragment => sql`
  INSERT INTO spoor.page_daily (site_id, day, build, source_id, host, page_id, agent_key, requests, observed, last_at)
  SELECT site_id, day, ${uint64(of.build)}, source_id, host, page_id, agent_key, sum(requests), sumIf(requests, status != 0), max(at)
  ${factsOf(of)}
  GROUP BY site_id, day, source_id, host, page_id, agent_key`

/** Deletes a build that no longer counts; the rows are invisible to every answer already. */
export const deleteBuild = (
  table: 'crawler_daily' | 'page_daily',
  siteId: string,
  build: number,
  days: readonly string[],
): Fragment => {
  const target = table === 'crawler_daily' ? sql`spoor.crawler_daily` : sql`spoor.page_daily`
  return sql`DELETE FROM ${target} WHERE site_id = ${uuid(siteId)} AND build = ${uint64(build)} AND day IN ${list('Date', days)}`
}
