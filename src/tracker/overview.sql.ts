import Type from 'typebox'
import { count, type Fragment, rows, sql } from '#evidence/sql.ts'
import { type FactBatch, isMet } from './conversions/conversions.sql.ts'
import { convertedOfDays } from './conversions/converted.sql.ts'
import type { ConvertedPlan } from './conversions/converted.ts'
import type { TrackerScope } from './scope.ts'
import {
  carriedBy,
  inTrackerBuilds,
  isClosed,
  isMarked,
  numberedSessions,
  receivedMs,
} from './sessions/sessions.sql.ts'
import { unionAll } from './union.sql.ts'

/** What is counted of a day. `timed` are closed sessions of two events or more; `converted` is 0 where no conversion was asked about. */
export const COUNTS = [
  ...(['visitors', 'sessions', 'closed', 'pageviews', 'closed_pageviews', 'bounces'] as const),
  ...(['timed_sessions', 'timed_ms', 'converted'] as const),
] as const

const DayCounts = Type.Object({
  day: Type.String(),
  visitors: count(),
  sessions: count(),
  closed: count(),
  pageviews: count(),
  closed_pageviews: count(),
  bounces: count(),
  timed_sessions: count(),
  timed_ms: count(),
  converted: count(),
})

/**
 * Days that anything was observed on, in any order: closed ones by their builds, the others from facts. A day may have several rows,
 * which are added up by whoever asks: to do it here costs the engine as much planning as the rest.
 */
export const dayCounts = (scope: TrackerScope, converted: ConvertedPlan | null) =>
  rows(DayCounts)`${unionAll([
    ...(scope.builds.length === 0 ? [] : [fromBuilds(scope)]),
    ...(converted === null ? [] : convertedOfDays(converted).map(convertedAlone)),
    ...(scope.fact_days.length === 0 ? [] : [fromFacts(scope, converted?.facts ?? null)]),
  ])}`

const convertedAlone = (days: Fragment): Fragment => sql`
  SELECT day, 0 AS visitors, 0 AS sessions, 0 AS closed, 0 AS pageviews, 0 AS closed_pageviews, 0 AS bounces, 0 AS timed_sessions, 0 AS timed_ms,
    converted
  FROM (${days})`

const fromBuilds = (scope: TrackerScope): Fragment => sql`
  SELECT day, visitors, sessions, sessions AS closed, pageviews, pageviews AS closed_pageviews, bounces, timed_sessions, timed_ms,
    toUInt64(0) AS converted
  FROM spoor.tracker_daily WHERE ${inTrackerBuilds(scope)}`

const fromFacts = (scope: TrackerScope, conversions: FactBatch | null): Fragment => sql`
  SELECT day, uniqExact(visitor) AS visitors, count() AS sessions, countIf(is_closed) AS closed, sum(seen) AS pageviews,
    sumIf(seen, is_closed) AS closed_pageviews,
    countIf(is_closed AND seen = 1 AND events = 1) AS bounces,
    countIf(is_closed AND events > 1) AS timed_sessions,
    sumIf(toUInt64(lasted_ms), is_closed AND events > 1) AS timed_ms,
    ${conversions === null ? sql`toUInt64(0)` : sql`countIf(arrayExists(event -> ${isMarked(sql`event`)}, ordered))`} AS converted
  FROM (
    SELECT day, visitor, ordered, arrayCount(event -> ${carriedBy(sql`event`)} = 1, ordered) AS seen, length(ordered) AS events,
      ${receivedMs(sql`ordered[-1]`)} AS ended_ms, ended_ms - ${receivedMs(sql`ordered[1]`)} AS lasted_ms,
      ${isClosed(scope, sql`ended_ms`)} AS is_closed
    FROM (${numberedSessions(scope, sql`kind = 'pageview'`, conversions === null ? sql`0` : isMet(conversions))})
  )
  GROUP BY day`
