/** What was observed of a site by name, of crawlers and visitors together (decisions 7.4). */
import Type from 'typebox'
import { type CrawlerScope, countedPages, isEmpty, labelsOfVersion } from '#crawlers/scope.sql.ts'
import { count, type Fragment, list, rows, sql, text, uint, unionAll, uuid } from '#evidence/sql.ts'
import { FILE_KEY, HOST_KEY } from '#tracker/collection/read-target.ts'
import { namedEvents } from '#tracker/events.sql.ts'
import { isEmptyScope, type TrackerScope } from '#tracker/scope.ts'
import { inTrackerBuilds, ofVisitors } from '#tracker/sessions/sessions.sql.ts'

export interface SeenQuestion {
  crawlers: CrawlerScope
  visitors: TrackerScope
  /** Part of a name; null: all. */
  search: string | null
  limit: number
}

const SeenPage = Type.Object({ host: Type.String(), path: Type.String(), pageviews: count(), requests: count() })

/** Hosts (their path is empty) or pages with the most pageviews, then requests, whose name holds the search text. */
export const seenPages = ({ crawlers, visitors, search, limit }: SeenQuestion, by: 'host' | 'page') => {
  const searched = by === 'host' ? sql`host` : sql`concat(host, path)`
  const path = by === 'host' ? sql`''` : sql`names.path`
  return rows(SeenPage)`
  WITH
  -- Pages of the site whose name holds the search text.
  names AS (
    SELECT page_id, host, path
    FROM spoor.pages FINAL
    WHERE site_id = ${uuid(visitors.site_id)} AND ${holds(searched, search)}
  ),
  -- Partial counts of pages; a page may have several.
  seen AS (
    ${unionAll([
      visitors.builds.length > 0 && closedDays(visitors),
      visitors.fact_days.length > 0 && openDays(visitors),
      !isEmpty(crawlers) && crawled(crawlers),
    ])}
  )
  SELECT names.host AS host, ${path} AS path, sum(seen.pageviews) AS pageviews, sum(seen.requests) AS requests
  FROM names
  INNER JOIN seen USING (page_id)
  GROUP BY host, path
  ORDER BY pageviews DESC, requests DESC, host, path
  LIMIT ${uint(limit)}`
}

/** Whether there is anything for `seenPages` to read. */
export const hasPages = ({ crawlers, visitors }: Pick<SeenQuestion, 'crawlers' | 'visitors'>): boolean =>
  !isEmpty(crawlers) || !isEmptyScope(visitors)

const closedDays = (scope: TrackerScope): Fragment => sql`
    SELECT page_id, pageviews, toUInt64(0) AS requests
    FROM spoor.tracker_page_daily
    WHERE ${inTrackerBuilds(scope)}`

const openDays = (scope: TrackerScope): Fragment => sql`
    SELECT page_id, toUInt64(1) AS pageviews, toUInt64(0) AS requests
    FROM spoor.events FINAL
    WHERE ${ofVisitors(scope)} AND kind = 'pageview'`

const crawled = (scope: CrawlerScope): Fragment => sql`
    SELECT page_id, toUInt64(0) AS pageviews, crawled.requests AS requests
    FROM (
      WITH ${countedPages(scope)}
      SELECT page_id, agent_key, requests FROM counted
    ) AS crawled
    INNER JOIN (${labelsOfVersion(scope)}
    ) AS labels USING (agent_key)`

/** `key` is empty for the events of a name. */
const SeenName = Type.Object({
  name: Type.String(),
  key: Type.String(),
  events: count(),
  is_withheld: count(),
  /** Of all rows of the list. */
  list_withheld: count(),
  list_rows: count(),
})

/** Names of events and keys of their properties, those of too few visitors last; what targets carry is left out. */
export const seenNames = ({ visitors, search, limit }: SeenQuestion, privacy_floor: number) => rows(SeenName)`
  WITH
  ${namedEvents(visitors)},
  -- The same by name, and by name and key.
  counted AS (
    SELECT name, key, count() AS events, uniqExactIf((day, visitor), stream != 'server') AS visitor_days,
      visitor_days > 0 AND visitor_days < ${uint(privacy_floor)} AS is_withheld
    FROM (
      SELECT day, visitor, stream, name, arrayJoin(arrayConcat([''], arrayMap(each -> toString(each), mapKeys(props)))) AS key
      FROM named
    )
    WHERE key NOT IN ${list('String', [HOST_KEY, FILE_KEY])} AND ${holds(sql`if(key = '', name, key)`, search)}
    GROUP BY name, key
  )
  SELECT name, key, events, is_withheld,
    countIf(is_withheld) OVER list AS list_withheld, count() OVER list AS list_rows
  FROM counted
  WINDOW list AS (PARTITION BY key = '')
  ORDER BY is_withheld, events DESC, name, key
  LIMIT ${uint(limit)} BY key = ''`

/** In either case, as far as Unicode has cases. */
const holds = (name: Fragment, search: string | null): Fragment =>
  search === null ? sql`1` : sql`positionCaseInsensitiveUTF8(${name}, ${text(search)}) > 0`
