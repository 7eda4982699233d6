/** Counts closed sessions by the sequence of their pages (rules 6, Journeys). */
import Type from 'typebox'
import { count, type Fragment, list, rows, sql, uint } from '#evidence/sql.ts'
import { type TrackerScope, withoutGrowing } from './scope.ts'
import { packedEvents, packedMs } from './sessions/event-layouts.sql.ts'
import { JOURNEY_PAGES } from './sessions/session-sums.sql.ts'
import { gatheredSessions, inTrackerBuilds, isClosed, viewedPage, viewedPages } from './sessions/sessions.sql.ts'

/**
 * The key of a journey, never 0 or 1. Its last bit says whether the journey was cut; 0 is the key of all closed
 * sessions.
 */
const journeyKey = (walked: Fragment, is_continued: Fragment): Fragment =>
  sql`bitOr(bitShiftLeft(bitOr(bitShiftRight(${walked}, 1), 1), 1), toUInt8(${is_continued}))`

const JourneyCounts = Type.Object({
  /** All closed sessions, including those without a pageview. */
  closed: count(),
  /** Closed sessions of sequences that have too few sessions to be shown. */
  grouped: count(),
  /** Sequences that may be shown. */
  sequences: count(),
  /** The shown sequences with the most sessions. */
  first: Type.Array(Type.Object({ journey: Type.String(), is_continued: Type.Integer(), sessions: Type.String() })),
})

export interface JourneyLimits {
  limit: number
  /** Sequences with fewer sessions are not shown. */
  floor: number
}

/**
 * One row, in ONE statement (rules 3). Journeys with the most sessions come first, equal ones in the order of their
 * keys.
 */
export const journeyCounts = (scope: TrackerScope, { limit, floor }: JourneyLimits) => {
  const isShown = sql`is_walked = 1 AND sessions >= ${uint(floor)}`
  const builds = inTrackerBuilds(withoutGrowing(scope))
  const reads_facts = scope.fact_days.length > 0
  return rows(JourneyCounts)`
  WITH ${reads_facts ? sql`${walksOfFacts(scope)},` : sql``}
  -- Closed sessions by journey, in parts.
  counted AS (
    SELECT ${journeyKey(sql`journey`, sql`is_continued`)} AS journey, sessions
    FROM spoor.journey_daily
    WHERE ${builds}
    UNION ALL
    SELECT toUInt64(0), sum(sessions)
    FROM spoor.tracker_daily
    WHERE ${builds}${reads_facts ? countedWalks : sql``}
  ),
  -- Each journey once; 0 is every closed session.
  journeys AS (
    SELECT journey, journey > 1 AS is_walked, sum(sessions) AS sessions
    FROM counted
    GROUP BY journey
  )
  SELECT
    sumIf(sessions, journey = 0) AS closed,
    sumIf(sessions, is_walked = 1 AND sessions < ${uint(floor)}) AS grouped,
    countIf(${isShown}) AS sequences,
    arrayMap(
      ranked -> (toString(ranked.journey), toUInt8(ranked.journey % 2), toString(-ranked.rank))::Tuple(
        journey String, is_continued UInt8, sessions String
      ),
      arraySlice(
        arraySort(groupArrayIf((-toInt64(sessions), journey)::Tuple(rank Int64, journey UInt64), ${isShown})), 1, ${uint(limit)}
      )
    ) AS first
  FROM journeys`
}

const countedWalks = sql`
    UNION ALL
    SELECT arrayJoin(if(empty(pages), [toUInt64(0)], [toUInt64(0), ${journeyKey(sql`cityHash64(pages)`, sql`is_continued`)}])) AS key, count()
    FROM walks
    GROUP BY key`

/** The parts up to `walks`: the pages of closed sessions on days that are read from facts, cut like journeys. */
const walksOfFacts = (scope: TrackerScope): Fragment => sql`${gatheredSessions(scope, packedEvents(viewedPage))},
  -- The pages of each closed session, consecutive repeats folded, cut where a journey is.
  walks AS (
    SELECT day, arrayCompact(${viewedPages}) AS folded,
      arraySlice(folded, 1, ${uint(JOURNEY_PAGES)}) AS pages,
      toUInt8(length(folded) > ${uint(JOURNEY_PAGES)}) AS is_continued
    FROM sessions
    WHERE ${isClosed(scope, packedMs(sql`session_events[-1]`))}
  )`

const JourneyPages = Type.Object({ journey: Type.String(), pages: Type.Array(Type.String()) })

/** The pages of journeys that occur on closed days. */
export const pagesOfJourneys = (scope: TrackerScope, journeys: readonly string[]) => rows(JourneyPages)`
  SELECT toString(${journeyKey(sql`spoor.journey_daily.journey`, sql`is_continued`)} AS key) AS journey,
    arrayMap(page -> toString(page), any(pages)) AS pages
  FROM spoor.journey_daily
  WHERE ${inTrackerBuilds(scope)} AND key IN ${list('UInt64', journeys)}
  GROUP BY key`

/** The pages of journeys that occur on days that are read from facts. */
export const pagesOfFacts = (scope: TrackerScope, journeys: readonly string[]) =>
  rows(JourneyPages)`
  WITH ${walksOfFacts(scope)}
  SELECT toString(${journeyKey(sql`cityHash64(walks.pages)`, sql`is_continued`)} AS key) AS journey,
    arrayMap(page -> toString(page), any(walks.pages)) AS pages
  FROM walks
  WHERE key IN ${list('UInt64', journeys)}
  GROUP BY key`
