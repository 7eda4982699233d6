import Type from 'typebox'
import { oneOf } from '#contract/fields.ts'
import { and, count, type Fragment, rows, sql, uint, unionAll } from '#evidence/sql.ts'
import type { TrackerScope } from '../scope.ts'
import { carriedBy, packedEvents } from '../sessions/event-layouts.sql.ts'
import { ACQUISITION, gatheredSessions, inTrackerBuilds, ofSettling, ofVisitors } from '../sessions/sessions.sql.ts'
import { NO_PAGEVIEW, SOURCE, sourcesOfSession } from './origins.sql.ts'

/** The dimensions of an answer: the origin of the session, and the five UTM values. */
export const DIMENSIONS = ['origin', 'utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'] as const

const summed = {
  dimension: oneOf(DIMENSIONS),
  /** A text for `readOrigin` for the dimension `origin`, else the UTM value. */
  identity: Type.String(),
  sessions: count(),
  pageviews: count(),
}

const SourceSum = Type.Object(summed)

/** Sessions by dimension and identity, unordered; at most `most` rows of each dimension. */
export const sourceSums = (scope: TrackerScope, most: number) => rows(SourceSum)`
  ${sums(scope)}
  LIMIT ${uint(most)} BY dimension`

const SourceCount = Type.Object({
  ...summed,
  total_rows: count(),
  total_sessions: count(),
  total_pageviews: count(),
})

/** Sessions by dimension and identity, most sessions first, with the totals of all rows of the dimension. */
export const sourceCounts = (scope: TrackerScope, limits: { origins: number; values: number }) =>
  rows(SourceCount)`
  WITH
  -- Each source with the totals of its dimension, and where it stands there.
  ranked AS (
    SELECT dimension, identity, sessions, pageviews,
      count() OVER alike AS total_rows, sum(sessions) OVER alike AS total_sessions, sum(pageviews) OVER alike AS total_pageviews,
      row_number() OVER (PARTITION BY dimension ORDER BY sessions DESC, identity) AS rank
    FROM (${sums(scope)})
    WINDOW alike AS (PARTITION BY dimension)
  )
  SELECT dimension, identity, sessions, pageviews, total_rows, total_sessions, total_pageviews
  FROM ranked
  WHERE rank <= if(dimension = 'origin', ${uint(limits.origins)}, ${uint(limits.values)})
  ORDER BY dimension, rank`

const sums = (scope: TrackerScope): Fragment => sql`
  SELECT dimension, identity, sum(counted.sessions) AS sessions, sum(counted.pageviews) AS pageviews
  FROM (${unionAll([scope.builds.length > 0 && closedDays(scope), scope.fact_days.length > 0 && openDays(scope)])}
  ) AS counted
  GROUP BY dimension, identity`

const closedDays = (scope: TrackerScope): Fragment => sql`
    SELECT toString(dimension) AS dimension, toString(identity) AS identity, sessions, pageviews
    FROM spoor.source_daily
    WHERE ${inTrackerBuilds(scope)}`

/** A number for the origin of a pageview, never 0. */
const ORIGIN_NUMBER = sql`bitOr(cityHash64(${ACQUISITION}), 1)`

/** Counts sessions by the number of their origin (0 without a pageview), and then looks up the few distinct origins. */
const openDays = (scope: TrackerScope): Fragment => sql`
  WITH ${gatheredSessions(scope, packedEvents(sql`if(kind = 'pageview', ${ORIGIN_NUMBER}, 0)`))},
  -- Sessions by the number of the origin of their first pageview.
  counted AS (
    SELECT origin, count() AS sessions, sum(views) AS pageviews
    FROM (
      SELECT arrayFilter(origin -> origin != 0, arrayMap(event -> ${carriedBy(sql`event`)}, session_events)) AS origins,
        length(origins) AS views, origins[1] AS origin
      FROM sessions
    )
    GROUP BY origin
  ),
  -- What each of these numbers stands for.
  origins AS (
    SELECT origin, ${sourcesOfSession(sql`1`)} AS sources
    FROM (
      SELECT ${ORIGIN_NUMBER} AS origin, ${ACQUISITION}
      FROM spoor.events
      WHERE ${and([ofVisitors(scope), ...ofSettling(scope)])} AND kind = 'pageview'
      LIMIT 1 BY origin
    )
  ),
  -- One row for each dimension that a session is counted under.
  labelled AS (
    SELECT arrayJoin(if(origin = 0, [('origin', ${NO_PAGEVIEW})::${SOURCE}], origins.sources)) AS source, sessions, pageviews
    FROM counted
    LEFT JOIN origins USING (origin)
  )
  SELECT source.dimension AS dimension, source.identity AS identity, sessions, pageviews
    FROM labelled`
