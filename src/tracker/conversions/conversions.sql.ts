/** Counts the sessions that met conversions, by origin. */
import Type from 'typebox'
import { and, count, type Fragment, instant, list, rows, sql, uint, unionAll, uuid } from '#evidence/sql.ts'
import { SOURCE, sourcesOfSession } from '../acquisition/origins.sql.ts'
import type { Matcher } from '../definitions/definitions.ts'
import { type Evaluation, inDefinitionBuilds } from '../definitions/evaluated-days.ts'
import { FACT_EVENT, listMarks, matched, usesProperties } from '../definitions/matching.sql.ts'
import { type ClosedDays, isReadFromFacts, type TrackerScope } from '../scope.ts'
import { eventTuples } from '../sessions/event-layouts.sql.ts'
import {
  ACQUISITION,
  gatheredSessions,
  inTrackerBuilds,
  packedOrigin,
  sessionCount,
  unpackedOrigin,
} from '../sessions/sessions.sql.ts'

/** The most origins or UTM values of a stored day or a statement; the others are not distinguished. */
export const MAX_IDENTITIES = 2_000

/** Conversion revisions, numbered by their position, on days that are read from the same source. */
export interface ConversionBatch {
  matchers: Matcher[]
  /** The range in which events count for each revision, epoch milliseconds; null if all days count for all. */
  in_force: { from: number; to: number }[] | null
  /** A scope, whose open and dirty days are read from facts, or builds. */
  of: TrackerScope | ClosedDays
}

/** Days whose events of customers' servers count, too. */
export interface ServerDays {
  days: readonly string[]
  /** Epoch milliseconds; later events do not count. Null: all events of the days count. */
  until: number | null
}

/** A batch on days that are read from facts. */
export type FactBatch = ConversionBatch & { of: TrackerScope }
/** A batch on days that are read from builds. */
export type ClosedBatch = ConversionBatch & { of: ClosedDays }

const counted = {
  /** Empty for the total. */
  dimension: Type.String(),
  identity: Type.String(),
  sessions: count(),
  events: count(),
}

/** `definition` is a revision id, or `all` for all sessions of the window. */
const StoredCount = Type.Object({ definition: Type.String(), ...counted })

/** The stored counts of closed days, and the number of all sessions. */
export const storedConversions = (evaluation: Evaluation) => {
  const { scope } = evaluation
  return rows(StoredCount)`${unionAll([
    scope.builds.length > 0 &&
      sql`
  SELECT * FROM (${storedCounts(evaluation)})`,
    scope.builds.length > 0 && closedSessions(scope),
    scope.fact_days.length > 0 && openSessions(scope),
  ])}`
}

/**
 * Reads the values with the most sessions, one more than may be published, because strangers can send any UTM value.
 */
const storedCounts = (evaluation: Evaluation): Fragment => sql`
  SELECT toString(definition_id) AS definition, toString(dimension) AS dimension, identity,
    sum(sessions) AS sessions, sum(events) AS events
  FROM spoor.definition_daily
  WHERE ${inDefinitionBuilds(evaluation)}
  GROUP BY definition_id, dimension, identity
  ORDER BY sessions DESC, identity
  LIMIT ${uint(MAX_IDENTITIES + 1)} BY definition_id, dimension`

const closedSessions = (scope: TrackerScope): Fragment => sql`
  SELECT 'all' AS definition, '' AS dimension, '' AS identity, sum(sessions) AS sessions, toUInt64(0) AS events
  FROM spoor.tracker_daily
  WHERE ${inTrackerBuilds(scope)}`

const openSessions = (scope: TrackerScope): Fragment => sql`
  SELECT 'all' AS definition, '' AS dimension, '' AS identity, sessions, toUInt64(0) AS events
  FROM (${sessionCount(scope)})`

/** `number` is the number of a revision in its batch. */
const ConversionCount = Type.Object({ number: Type.Integer(), ...counted })

/** The counts of a batch in ONE statement (rules 3), with at most as many rows of a dimension as a day stores. */
export const conversionCounts = (batch: ConversionBatch, servers: ServerDays) =>
  rows(ConversionCount)`
  WITH ${isReadFromFacts(batch.of) ? openHits(batch.of, batch) : closedHits(batch.of, batch)},
  -- One row for each conversion that a session met and each source of the session; the empty source is the total.
  converted_sources AS (
    SELECT number, countEqual(hits, number) AS times,
      arrayJoin(arrayPushFront(${sourcesOfSession(sql`has_pageview`)}, ('', '')::${SOURCE})) AS source
    FROM session_hits
    ARRAY JOIN arrayDistinct(hits) AS number
  ),
  -- Sessions with at least one event of a conversion, in total and by where they came from.
  conversion_sources AS (
    SELECT number, source.dimension AS dimension, source.identity AS identity, count() AS sessions, sum(times) AS events
    FROM converted_sources
    GROUP BY number, source
    ORDER BY sessions DESC, identity
    LIMIT ${uint(MAX_IDENTITIES + 1)} BY number, dimension
  ),${serverHits(batch, servers)}
  SELECT *
  FROM conversion_sources
  UNION ALL
  SELECT number, '' AS dimension, '' AS identity, toUInt64(0) AS sessions, count() AS events
  FROM server_hits
  GROUP BY number`

/** Customers' servers have no session: their events count as events only (rules 6). */
function serverHits(batch: ConversionBatch, { days, until }: ServerDays): Fragment {
  const event = { page: sql`toUInt64(0)`, name: sql`name`, props: sql`props` }
  const met = counting(batch, matched(batch.matchers, listMarks, event), sql`toUnixTimestamp64Milli(received_at)`)
  return sql`
  -- One row for each conversion that an event of a customer's server met.
  server_hits AS (
    SELECT arrayJoin(${met}) AS number
    FROM spoor.events FINAL
    WHERE ${and([
      sql`site_id = ${uuid(batch.of.site_id)}`,
      sql`day IN ${list('Date', days)}`,
      sql`stream = 'server'`,
      sql`kind != 'pageview'`,
      until === null ? sql`1` : sql`received_at <= ${instant(until)}`,
    ])}
  )`
}

/** The conversions that an event meets and that are in force at its instant. */
function counting({ in_force }: ConversionBatch, met: Fragment, at: Fragment): Fragment {
  if (in_force === null) return met
  const froms = in_force.map(({ from }) => from)
  const tos = in_force.map(({ to }) => to)
  return sql`arrayFilter(
    number -> ${at} >= ${list('UInt64', froms)}[number + 1] AND ${at} < ${list('UInt64', tos)}[number + 1],
    ${met}
  )`
}

/** The conversions that each event of a session in a build meets. */
export function metOfClosed(batch: ConversionBatch): Fragment {
  const event = { page: sql`page`, name: sql`name`, props: sql`prop` }
  const met = matched(batch.matchers, listMarks, event)
  const at = sql`toUnixTimestamp64Milli(started_at) + later`
  return usesProperties(batch.matchers)
    ? sql`arrayMap((page, name, later, prop) -> ${counting(batch, met, at)}, pages, names, offsets, props)`
    : sql`arrayMap((page, name, later) -> ${counting(batch, met, at)}, pages, names, offsets)`
}

const closedHits = (days: ClosedDays, batch: ConversionBatch): Fragment => sql`
  -- The conversions that the events of each session met, and where the session came from.
  session_hits AS (
    SELECT arrayFlatten(${metOfClosed(batch)}) AS hits, pageviews > 0 AS has_pageview, ${ACQUISITION}
    FROM spoor.sessions
    WHERE ${inTrackerBuilds(days)} AND notEmpty(hits)
  )`

/** The conversions that one fact meets. */
const metOfFact = (batch: ConversionBatch): Fragment =>
  counting(batch, matched(batch.matchers, listMarks, FACT_EVENT), sql`toUnixTimestamp64Milli(received_at)`)

/** Whether one fact meets any conversion of the batch. */
export const isMet = (batch: ConversionBatch): Fragment => sql`notEmpty(${metOfFact(batch)})`

/** `session_hits` from facts; sessions of visitors without a conversion are not gathered. */
function openHits(scope: TrackerScope, batch: ConversionBatch): Fragment {
  const layout = eventTuples(
    sql`kind = 'pageview' AS is_pageview, ${metOfFact(batch)} AS hits, ${packedOrigin} AS packed_origin`,
    sql`is_pageview, hits, packed_origin`,
    sql`is_pageview UInt8, hits Array(UInt16), packed_origin String`,
  )
  return sql`${gatheredSessions(scope, layout, isMet(batch))},
  -- The conversions that the events of each session met, and what its first pageview says about where it came from.
  packed_hits AS (
    SELECT arrayFlatten(arrayMap(event -> event.hits, session_events)) AS hits,
      arrayExists(event -> event.is_pageview, session_events) AS has_pageview,
      arrayFirst(event -> event.is_pageview, session_events).packed_origin AS packed_origin
    FROM sessions
    WHERE notEmpty(hits)
  ),
  -- The same with all that the pageview says as columns.
  session_hits AS (
    SELECT hits, has_pageview, ${unpackedOrigin(sql`packed_origin`)}
    FROM packed_hits
  )`
}
