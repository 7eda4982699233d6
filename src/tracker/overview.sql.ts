import Type from 'typebox'
import { count, type Fragment, rows, sql, uint64, unionAll } from '#evidence/sql.ts'
import { type FactBatch, isMet } from './conversions/conversions.sql.ts'
import { convertedOfDays } from './conversions/converted.sql.ts'
import type { ConvertedPlan } from './conversions/converted.ts'
import type { TrackerScope } from './scope.ts'
import { carriedBy, isMarked, packedEvents, packedMs } from './sessions/event-layouts.sql.ts'
import { gatheredSessions, inTrackerBuilds, isClosed, isFirstSession } from './sessions/sessions.sql.ts'

/** The counts of a day. `timed`: closed sessions with two events or more; `converted`: 0 without conversions. */
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
 * The counts of days with events, in any order: closed days from their builds, the others from facts. A day may have
 * several rows, which the caller adds up, because that would double the planning time of the statement.
 */
export const dayCounts = (scope: TrackerScope, converted: ConvertedPlan | null) =>
  rows(DayCounts)`${unionAll([
    scope.builds.length > 0 && closedDays(scope),
    ...(converted === null ? [] : convertedOfDays(converted).map(convertedAlone)),
    scope.fact_days.length > 0 && openDays(scope, converted?.facts ?? null),
  ])}`

/** Sessions that can still grow count as sessions, but not in the counts of closed sessions. */
const closedDays = (scope: TrackerScope): Fragment => {
  const { snapshot } = scope
  const ofClosed = (column: Fragment) =>
    snapshot === undefined ? column : sql`if(build = ${uint64(snapshot.growing)}, 0, ${column})`
  return sql`
  SELECT day, visitors, sessions, ${ofClosed(sql`sessions`)} AS closed, pageviews, ${ofClosed(sql`pageviews`)} AS closed_pageviews,
    ${ofClosed(sql`bounces`)} AS bounces, ${ofClosed(sql`timed_sessions`)} AS timed_sessions, ${ofClosed(sql`timed_ms`)} AS timed_ms,
    toUInt64(0) AS converted
  FROM spoor.tracker_daily
  WHERE ${inTrackerBuilds(scope)}`
}

const convertedAlone = (days: Fragment): Fragment => sql`
  SELECT day, 0 AS visitors, 0 AS sessions, 0 AS closed, 0 AS pageviews, 0 AS closed_pageviews, 0 AS bounces,
    0 AS timed_sessions, 0 AS timed_ms, converted
  FROM (${days})`

/** A packed event has a flag for pageviews, and is marked if it is a conversion. */
const openDays = (scope: TrackerScope, conversions: FactBatch | null): Fragment => sql`
  WITH ${gatheredSessions(
    scope,
    packedEvents(sql`kind = 'pageview'`, conversions === null ? sql`0` : isMet(conversions)),
  )},
  -- What counts of each session.
  measured_sessions AS (
    SELECT day, ${isFirstSession(scope)} AS is_first,
      arrayCount(event -> ${carriedBy(sql`event`)} = 1, session_events) AS views,
      length(session_events) AS events,
      ${packedMs(sql`session_events[-1]`)} AS ended_ms,
      ended_ms - ${packedMs(sql`session_events[1]`)} AS lasted_ms,
      ${isClosed(scope, sql`ended_ms`)} AS is_closed,
      ${conversions === null ? sql`0` : sql`arrayExists(event -> ${isMarked(sql`event`)}, session_events)`} AS is_converted
    FROM sessions
  )
  SELECT day, countIf(is_first) AS visitors, count() AS sessions, countIf(is_closed) AS closed,
    sum(views) AS pageviews, sumIf(views, is_closed) AS closed_pageviews,
    countIf(is_closed AND views = 1 AND events = 1) AS bounces,
    countIf(is_closed AND events > 1) AS timed_sessions, sumIf(toUInt64(lasted_ms), is_closed AND events > 1) AS timed_ms,
    countIf(is_converted) AS converted
  FROM measured_sessions
  GROUP BY day`
