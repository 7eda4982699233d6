/** Inserts of a derivation: the sessions of a day from facts, and their sums for each answer. */
import { DAY_MS } from '#clock.ts'
import { dayStart } from '#days/utc-day.ts'
import { type BuildOfDay, inBuildsOfDays } from '#derived/builds.sql.ts'
import { type Fragment, list, ONE_THREAD, sql, uint, uint64, unionAll, uuid } from '#evidence/sql.ts'
import { sourcesOfSession } from '../acquisition/origins.sql.ts'
import { SESSION_SILENCE_MS, type Settling, type TrackerScope } from '../scope.ts'
import {
  ACQUISITION,
  inTrackerBuilds,
  isClosed,
  isFirstSession,
  sessionRows,
  settlingVisitors,
} from './sessions.sql.ts'

/** One derivation of one day of a site. */
export interface DayBuild {
  site_id: string
  day: string
  build: number
  /** The sessions of an open day that are derived; without it, all sessions. */
  settling?: Settling | undefined
  /** Derives events up to `cutoff`, epoch milliseconds. Sessions that can still grow then are in the build `build`. */
  growing?: Growing
}

interface Growing {
  cutoff: number
  build: number
  /** Builds of an earlier derivation, from which the sessions of visitors without later events are copied. */
  copied?: readonly number[]
}

/** Maximum number of pages of a journey. A longer journey is cut and has `is_continued` (rules 6). */
export const JOURNEY_PAGES = 10

/**
 * Every insert of a derivation, in order. Each writes to one partition, so that a crash leaves all of its rows or none.
 */
export const insertBuild = (of: DayBuild): Fragment[] => [
  insertSessions(of),
  insertTrackerDaily(of),
  insertSourceDaily(of),
  insertPageDaily(of),
  insertJourneyDaily(of),
]

/** What a row of `sessions` says about its session. */
const CONTENT = sql`started_at, ended_at, pageviews, events, entry_page, exit_page, ${ACQUISITION},
    pages, event_pages, names, offsets, props, tie_requests`

function insertSessions({ site_id, day, build, settling, growing }: DayBuild): Fragment {
  const cutoff = growing === undefined ? dayStart(day) + DAY_MS : growing.cutoff
  const scope: TrackerScope = {
    site_id,
    builds: [],
    fact_days: [day],
    cutoff,
    ...(settling === undefined ? {} : { settling }),
  }
  const into = growing === undefined ? uint64(build) : sql`if(is_closed, ${uint64(build)}, ${uint64(growing.build)})`
  const derived = sql`
    SELECT day, visitor, ${sessionNumber(scope)} AS number, is_closed, ${CONTENT}
    FROM (${sessionRows(scope)})`
  const copied =
    settling !== undefined && growing?.copied !== undefined && copiedSessions(scope, settling, growing.copied)
  return sql`
  INSERT INTO spoor.sessions (site_id, day, build, visitor, session, ${CONTENT})
  SELECT ${uuid(site_id)}, day, ${into}, visitor, number, ${CONTENT}
  FROM (${unionAll([derived, copied])}
  )${settling === undefined ? sql`` : ONE_THREAD}`
}

/** The sessions of `settling` among these builds, of the visitors that a derivation leaves out (`active_after`). */
const copiedSessions = (scope: TrackerScope, settling: Settling, builds: readonly number[]): Fragment => sql`
    SELECT day, visitor, session AS number, ${isClosed(scope, endedMs)} AS is_closed, ${CONTENT}
    FROM spoor.sessions
    WHERE ${inTrackerBuilds({ site_id: scope.site_id, builds: builds.map((build) => ({ day: settling.day, build })) })}
      AND ${endedMs} + ${uint(SESSION_SILENCE_MS)} > ${uint(settling.after)}
      AND visitor NOT IN (${settlingVisitors(scope, settling)})`

const endedMs = sql`toUnixTimestamp64Milli(ended_at)`

/** The number of a session. It is above 1, but not exact, if earlier sessions of the visitor are in known builds. */
const sessionNumber = (scope: TrackerScope): Fragment =>
  scope.settling?.known === undefined ? sql`session` : sql`if(${isFirstSession(scope)}, 1, session + 1)`

const ofBuild = ({ site_id, day, build, growing }: DayBuild): Fragment => {
  const builds = growing === undefined ? [build] : [build, growing.build]
  return sql`FROM spoor.sessions WHERE ${inTrackerBuilds({ site_id, builds: builds.map((each) => ({ day, build: each })) })}`
}

const insertTrackerDaily = (of: DayBuild): Fragment => sql`
  INSERT INTO spoor.tracker_daily (site_id, day, build, visitors, sessions, pageviews, bounces, timed_sessions, timed_ms, timed_pageviews)
  SELECT site_id, day, build, countIf(session = 1), count(), sum(pageviews), countIf(pageviews = 1 AND events = 1),
    countIf(events > 1), sumIf(toUInt64(dateDiff('millisecond', started_at, ended_at)), events > 1), sumIf(pageviews, events > 1)
  ${ofBuild(of)}
  GROUP BY site_id, day, build`

/** Groups sessions with the same origin before it computes their sources. */
const insertSourceDaily = (of: DayBuild): Fragment => sql`
  INSERT INTO spoor.source_daily (site_id, day, build, dimension, identity, sessions, pageviews)
  WITH
  -- Sessions by all that their first pageview says about where it came from.
  beginnings AS (
    SELECT site_id, day, build, viewed > 0 AS has_pageview, ${ACQUISITION}, count() AS sessions, sum(viewed) AS pageviews
    FROM (SELECT site_id, day, build, pageviews AS viewed, ${ACQUISITION} ${ofBuild(of)})
    GROUP BY site_id, day, build, has_pageview, ${ACQUISITION}
  ),
  -- One row for each dimension that they are counted under.
  labelled AS (
    SELECT site_id, day, build, sessions, pageviews, arrayJoin(${sourcesOfSession(sql`has_pageview`)}) AS source
    FROM beginnings
  )
  SELECT site_id, day, build, source.dimension, source.identity, sum(labelled.sessions), sum(labelled.pageviews)
  FROM labelled
  GROUP BY site_id, day, build, source`

const insertPageDaily = (of: DayBuild): Fragment => sql`
  INSERT INTO spoor.tracker_page_daily (site_id, day, build, page_id, pageviews, sessions, entries, exits)
  WITH
  -- The pages of each session, in order.
  walks AS (
    SELECT site_id, day, build, entry_page, exit_page, arrayFilter(page -> page != 0, pages) AS viewed
    ${ofBuild(of)}
  )
  SELECT site_id, day, build, page, count(), countIf(nth = 1),
    countIf(nth = 1 AND page = entry_page), countIf(nth = 1 AND page = exit_page)
  FROM walks
  ARRAY JOIN viewed AS page, arrayEnumerateUniq(viewed) AS nth
  GROUP BY site_id, day, build, page`

const insertJourneyDaily = (of: DayBuild): Fragment => sql`
  INSERT INTO spoor.journey_daily (site_id, day, build, journey, pages, is_continued, sessions)
  WITH
  -- The pages of each session, consecutive repeats folded, cut where a journey is.
  walks AS (
    SELECT site_id, day, build, arrayCompact(arrayFilter(page -> page != 0, pages)) AS folded,
      arraySlice(folded, 1, ${uint(JOURNEY_PAGES)}) AS walked, length(folded) > ${uint(JOURNEY_PAGES)} AS is_continued
    ${ofBuild(of)}
  )
  SELECT site_id, day, build, cityHash64(walked) AS journey, any(walked), is_continued, count()
  FROM walks
  WHERE notEmpty(walked)
  GROUP BY site_id, day, build, journey, is_continued`

/** The tables that hold rows of a build of sessions. */
const BUILT: readonly Fragment[] = [
  sql`spoor.sessions`,
  sql`spoor.tracker_daily`,
  sql`spoor.source_daily`,
  sql`spoor.tracker_page_daily`,
  sql`spoor.journey_daily`,
]

/** Deletes the rows of retired builds, which no answer reads any more. */
export const deleteSessionBuilds = (builds: readonly BuildOfDay[]): Fragment[] =>
  BUILT.map((table) => sql`DELETE FROM ${table} WHERE ${inBuildsOfDays(builds)}`)

/** Deletes the facts of days, of every stream. */
export const deleteEvents = (site_id: string, days: readonly string[]): Fragment =>
  sql`DELETE FROM spoor.events WHERE site_id = ${uuid(site_id)} AND day IN ${list('Date', days)}`
