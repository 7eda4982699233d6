import Type from 'typebox'
import { count, type Fragment, list, rows, sql, uint } from '#evidence/sql.ts'
import type { TrackerScope } from './scope.ts'
import {
  ACQUISITION,
  carriedBy,
  inTrackerBuilds,
  namedOrigins,
  numberedSessions,
  originNumber,
  unpackedOrigin,
} from './sessions/sessions.sql.ts'
import { unionAll } from './union.sql.ts'

/** The dimensions of an answer; the first is where the session began, the others one UTM value each. */
export const DIMENSIONS = ['origin', 'source', 'medium', 'campaign', 'term', 'content'] as const

const SourceCount = Type.Object({
  dimension: Type.Union(DIMENSIONS.map((name) => Type.Literal(name))),
  /** Of `origin`: has_pageview, referrer_host, has_click_id, utm_source, utm_medium, has_utm (truth is `1` or empty); else the value. */
  identity: Type.Array(Type.String()),
  sessions: count(),
  pageviews: count(),
  total_rows: count(),
  total_sessions: count(),
  total_pageviews: count(),
})

/** Sessions by dimension and identity, most first, with the totals of all there are; at most so many origins and values. */
export const sourceCounts = (scope: TrackerScope, limits: { origins: number; values: number }) => rows(SourceCount)`
  SELECT dimension, identity, sessions, pageviews, total_rows, total_sessions, total_pageviews
  FROM (
    SELECT dimension, identity, sum(began.sessions) AS sessions, sum(began.pageviews) AS pageviews,
      count() OVER (PARTITION BY dimension) AS total_rows,
      sum(sum(began.sessions)) OVER (PARTITION BY dimension) AS total_sessions,
      sum(sum(began.pageviews)) OVER (PARTITION BY dimension) AS total_pageviews,
      row_number() OVER (PARTITION BY dimension ORDER BY sum(began.sessions) DESC, identity) AS place
    FROM (
      SELECT sessions, pageviews, has_pageview, utm_source, utm_medium, utm_campaign, utm_term, utm_content,
        [if(has_pageview, '1', ''), CAST(referrer_host AS String), if(has_click_id, '1', ''), CAST(utm_source AS String),
          CAST(utm_medium AS String), if(concat(utm_source, utm_medium, utm_campaign, utm_term, utm_content) = '', '', '1')] AS origin
      FROM (${unionAll([
        ...(scope.builds.length === 0 ? [] : [fromBuilds(scope)]),
        ...(scope.fact_days.length === 0 ? [] : [fromFacts(scope)]),
      ])})
    ) AS began
    ARRAY JOIN
      ${list('String', DIMENSIONS)} AS dimension,
      [origin, [CAST(utm_source AS String)], [CAST(utm_medium AS String)], [CAST(utm_campaign AS String)], [CAST(utm_term AS String)],
        [CAST(utm_content AS String)]] AS identity
    WHERE identity != ['']
    GROUP BY dimension, identity
  )
  WHERE place <= if(dimension = 'origin', ${uint(limits.origins)}, ${uint(limits.values)})
  ORDER BY dimension, place`

const fromBuilds = (scope: TrackerScope): Fragment => sql`
  SELECT has_pageview, ${ACQUISITION}, sum(sessions) AS sessions, sum(pageviews) AS pageviews
  FROM (SELECT has_pageview, ${ACQUISITION}, sessions, pageviews FROM spoor.acquisition_daily WHERE ${inTrackerBuilds(scope)})
  GROUP BY has_pageview, ${ACQUISITION}`

/**
 * Sessions are counted by a number that stands for their origin, 0 where there is no pageview and 1 where nothing is known of it; the
 * few different origins are looked up afterwards.
 */
const fromFacts = (scope: TrackerScope): Fragment => sql`
  SELECT has_pageview, ${ACQUISITION}, sessions, pageviews
  FROM (
  SELECT toBool(counted.origin != 0) AS has_pageview, ${unpackedOrigin(sql`ifNull(origins.packed, '')`)}, sessions, seen AS pageviews
  FROM (
    SELECT origin, count() AS sessions, sum(views) AS seen
    FROM (
      SELECT arrayFilter(origin -> origin != 0, arrayMap(event -> ${carriedBy(sql`event`)}, ordered)) AS began, length(began) AS views, began[1] AS origin
      FROM (${numberedSessions(scope, sql`if(kind = 'pageview', ${originNumber}, 0)`)})
    )
    GROUP BY origin
  ) AS counted
  LEFT JOIN (${namedOrigins(scope)}) AS origins USING (origin)
  )`
