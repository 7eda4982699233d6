import Type from 'typebox'
import { oneOf } from '#contract/fields.ts'
import { count, type Fragment, rows, sql, uint } from '#evidence/sql.ts'
import type { TrackerScope } from '../scope.ts'
import { ACQUISITION, carriedBy, inTrackerBuilds, numberedSessions, ofVisitors } from '../sessions/sessions.sql.ts'
import { unionAll } from '../union.sql.ts'
import { hasUtm, NO_PAGEVIEW, originText } from './origins.sql.ts'

/** The dimensions of an answer; the first is where the session began, the others one UTM value each. */
export const DIMENSIONS = ['origin', 'source', 'medium', 'campaign', 'term', 'content'] as const

const SourceCount = Type.Object({
  dimension: oneOf(DIMENSIONS),
  /** Of `origin`: what `readOrigin` reads; else the value. */
  identity: Type.String(),
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
    SELECT dimension, identity, sessions, pageviews,
      count() OVER alike AS total_rows, sum(sessions) OVER alike AS total_sessions, sum(pageviews) OVER alike AS total_pageviews,
      row_number() OVER (PARTITION BY dimension ORDER BY sessions DESC, identity) AS place
    FROM (
      SELECT dimension, identity, sum(began.sessions) AS sessions, sum(began.pageviews) AS pageviews
      FROM (${unionAll([
        ...(scope.builds.length === 0 ? [] : [fromBuilds(scope)]),
        ...(scope.fact_days.length === 0 ? [] : [fromFacts(scope)]),
      ])}) AS began
      GROUP BY dimension, identity
    )
    WINDOW alike AS (PARTITION BY dimension)
  )
  WHERE place <= if(dimension = 'origin', ${uint(limits.origins)}, ${uint(limits.values)})
  ORDER BY dimension, place`

/** One pass over the sums for each dimension; a UTM dimension has all other columns empty. */
const fromBuilds = (scope: TrackerScope): Fragment => sql`
  SELECT dimension, if(
      dimension = 'origin', ${originText(sql`has_utm`, sql`has_pageview`)},
      toString(concat(utm_source, utm_medium, utm_campaign, utm_term, utm_content))
    ) AS identity, sessions, pageviews
  FROM (
    SELECT has_pageview, ${ACQUISITION}, has_utm, sum(counted.sessions) AS sessions, sum(counted.pageviews) AS pageviews,
      multiIf(grouping(referrer_host) = 0, 'origin', grouping(utm_source) = 0, 'source', grouping(utm_medium) = 0, 'medium',
        grouping(utm_campaign) = 0, 'campaign', grouping(utm_term) = 0, 'term', 'content') AS dimension
    FROM (
      SELECT has_pageview, ${ACQUISITION}, ${hasUtm} AS has_utm, sessions, pageviews
      FROM spoor.acquisition_daily WHERE ${inTrackerBuilds(scope)}
    ) AS counted
    GROUP BY GROUPING SETS (
      (has_pageview, referrer_host, has_click_id, utm_source, utm_medium, has_utm),
      (utm_source), (utm_medium), (utm_campaign), (utm_term), (utm_content)
    )
  )
  WHERE identity != ''`

/** A number for what a pageview says of where it came from, never 0. */
const ORIGIN_NUMBER = sql`bitOr(cityHash64(${ACQUISITION}), 1)`

/** Sessions are counted by such a number, 0 where there is no pageview; the few different origins are looked up afterwards. */
const fromFacts = (scope: TrackerScope): Fragment => sql`
  SELECT key.1 AS dimension, key.2 AS identity, sessions, pageviews
  FROM (
    SELECT arrayJoin(if(origin = 0, [('origin', ${NO_PAGEVIEW})], origins.keys)) AS key, sessions, pageviews
    FROM (
      SELECT origin, count() AS sessions, sum(views) AS pageviews
      FROM (
        SELECT arrayFilter(origin -> origin != 0, arrayMap(event -> ${carriedBy(sql`event`)}, ordered)) AS began, length(began) AS views, began[1] AS origin
        FROM (${numberedSessions(scope, sql`if(kind = 'pageview', ${ORIGIN_NUMBER}, 0)`)})
      )
      GROUP BY origin
    ) AS counted
    LEFT JOIN (
      SELECT origin, [
          ('origin', ${originText(hasUtm, sql`1`)}), ('source', toString(utm_source)), ('medium', toString(utm_medium)),
          ('campaign', toString(utm_campaign)), ('term', toString(utm_term)), ('content', toString(utm_content))
        ] AS keys
      FROM (
        SELECT ${ORIGIN_NUMBER} AS origin, ${ACQUISITION}
        FROM spoor.events WHERE ${ofVisitors(scope)} AND kind = 'pageview'
        LIMIT 1 BY origin
      )
    ) AS origins USING (origin)
  )
  WHERE identity != ''`
