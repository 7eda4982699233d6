/** How many sessions met conversions, and where these sessions came from. */
import Type from 'typebox'
import { and, count, type Fragment, instant, list, rows, sql, uint, uuid } from '#evidence/sql.ts'
import { toldSources } from '../acquisition/origins.sql.ts'
import type { Matcher } from '../definitions/definitions.ts'
import { type Evaluation, inDefinitionBuilds } from '../definitions/evaluated-days.ts'
import { listMarks, looksAtProperties, matched } from '../definitions/matching.sql.ts'
import type { ClosedDays, TrackerScope } from '../scope.ts'
import {
  ACQUISITION,
  gatheredSessions,
  inTrackerBuilds,
  packedOrigin,
  sessionCount,
  unpackedOrigin,
} from '../sessions/sessions.sql.ts'
import { unionAll } from '../union.sql.ts'

/** Past this many origins or values of a UTM dimension, in what is stored of a day or counted at once, a conversion's rest is not told apart. */
export const MOST_IDENTITIES = 2_000

/** Some conversion revisions, numbered as they stand, over the days of one source of events. */
export interface ConversionBatch {
  matchers: Matcher[]
  /** In which range events count, epoch milliseconds; null when that is all of the days for each of them. */
  in_force: { from: number; to: number }[] | null
  /** Facts of the scope's open and dirty days, or sessions of closed ones. */
  of: TrackerScope | ClosedDays
}

/** A batch over the days that are read from facts. */
export type FactBatch = ConversionBatch & { of: TrackerScope }
/** A batch over sessions of closed days. */
export type ClosedBatch = ConversionBatch & { of: ClosedDays }

const counted = {
  /** Empty for the total. */
  dimension: Type.String(),
  identity: Type.String(),
  sessions: count(),
  events: count(),
}

/** `definition` is a revision id, or `all` for every session of the window. */
const StoredCount = Type.Object({ definition: Type.String(), ...counted })

/** What is stored of closed days, and how many sessions there are in all. */
export const storedConversions = (evaluation: Evaluation) => {
  const { builds, fact_days } = evaluation.scope
  return rows(StoredCount)`${unionAll([
    ...(builds.length === 0
      ? []
      : [sql`SELECT * FROM (${storedCounts(evaluation)})`, closedSessions(evaluation.scope)]),
    ...(fact_days.length === 0 ? [] : [openSessions(evaluation.scope)]),
  ])}`
}

/** UTM values are strangers' text: of a definition and dimension those with the most sessions are read, one more than may be told. */
const storedCounts = (evaluation: Evaluation): Fragment => sql`
  SELECT toString(definition_id) AS definition, toString(dimension) AS dimension, identity, sum(sessions) AS sessions, sum(events) AS events
  FROM spoor.definition_daily
  WHERE ${inDefinitionBuilds(evaluation)}
  GROUP BY definition_id, dimension, identity
  ORDER BY sessions DESC, identity
  LIMIT ${uint(MOST_IDENTITIES + 1)} BY definition_id, dimension`

const closedSessions = (scope: TrackerScope): Fragment => sql`
  SELECT 'all' AS definition, '' AS dimension, '' AS identity, sum(sessions) AS sessions, toUInt64(0) AS events
  FROM spoor.tracker_daily
  WHERE ${inTrackerBuilds(scope)}`

const openSessions = (scope: TrackerScope): Fragment => sql`
  SELECT 'all' AS definition, '' AS dimension, '' AS identity, sessions, toUInt64(0) AS events
  FROM (${sessionCount(scope)})`

/** `number` is that of a revision in its batch. */
const ConversionCount = Type.Object({ number: Type.Integer(), ...counted })

/** What a batch counts, in ONE statement (rules 3). */
export const conversionCounts = (batch: ConversionBatch) =>
  rows(ConversionCount)`SELECT * FROM (${metSessions(batch)}) UNION ALL ${serverEvents(batch)}`

const isOfFacts = (of: ConversionBatch['of']): of is TrackerScope => 'fact_days' in of

/** Sessions with at least one event of a conversion, in total and by where they came from, at most as `storedCounts` gives. */
function metSessions(batch: ConversionBatch): Fragment {
  const from = isOfFacts(batch.of) ? factHits(batch.of, batch) : closedHits(batch.of, batch)
  return sql`
  SELECT number, pair.1 AS dimension, pair.2 AS identity, count() AS sessions, sum(times) AS events
  FROM (
    SELECT number, countEqual(hits, number) AS times,
      arrayJoin(arrayPushFront(${toldSources(sql`has_pageview`)}, ('', ''))) AS pair
    FROM (${from})
    ARRAY JOIN arrayDistinct(hits) AS number
  )
  GROUP BY number, pair
  ORDER BY sessions DESC, identity
  LIMIT ${uint(MOST_IDENTITIES + 1)} BY number, dimension`
}

/** Customers' servers have no session: their events count as events only (rules 6). */
function serverEvents(batch: ConversionBatch): Fragment {
  const { of } = batch
  const days = isOfFacts(of) ? of.fact_days : of.builds.map(({ day }) => day)
  const event = { page: sql`toUInt64(0)`, name: sql`name`, props: sql`props` }
  const until = isOfFacts(of) ? sql`received_at <= ${instant(of.cutoff)}` : sql`1`
  return sql`
  SELECT number, '' AS dimension, '' AS identity, toUInt64(0) AS sessions, count() AS events
  FROM (
    SELECT arrayJoin(${counting(batch, matched(batch.matchers, listMarks, event), sql`toUnixTimestamp64Milli(received_at)`)}) AS number
    FROM spoor.events FINAL
    WHERE ${and([
      sql`site_id = ${uuid(of.site_id)}`,
      sql`day IN ${list('Date', days)}`,
      sql`stream = 'server'`,
      sql`kind != 'pageview'`,
      until,
    ])}
  )
  GROUP BY number`
}

/** Of the definitions that an event meets, those that count events of its instant. */
function counting({ in_force }: ConversionBatch, met: Fragment, at: Fragment): Fragment {
  if (in_force === null) return met
  const froms = in_force.map(({ from }) => from)
  const tos = in_force.map(({ to }) => to)
  return sql`arrayFilter(
    number -> ${at} >= ${list('UInt64', froms)}[number + 1] AND ${at} < ${list('UInt64', tos)}[number + 1],
    ${met}
  )`
}

/** For each event of a session of closed days the conversions that it met. */
export function metOfClosed(batch: ConversionBatch): Fragment {
  const event = { page: sql`page`, name: sql`name`, props: sql`prop` }
  const met = matched(batch.matchers, listMarks, event)
  const at = sql`toUnixTimestamp64Milli(started_at) + later`
  return looksAtProperties(batch.matchers)
    ? sql`arrayMap((page, name, later, prop) -> ${counting(batch, met, at)}, pages, names, offsets, props)`
    : sql`arrayMap((page, name, later) -> ${counting(batch, met, at)}, pages, names, offsets)`
}

const closedHits = (days: ClosedDays, batch: ConversionBatch): Fragment => sql`
  SELECT arrayFlatten(${metOfClosed(batch)}) AS hits, pageviews > 0 AS has_pageview, ${ACQUISITION}
  FROM spoor.sessions
  WHERE ${inTrackerBuilds(days)} AND notEmpty(hits)`

/** The conversions that one fact meets. */
function metOfFact(batch: ConversionBatch): Fragment {
  const event = {
    page: sql`if(kind = 'pageview', page_id, 0)`,
    name: sql`if(kind = 'pageview', '', name)`,
    props: sql`props`,
  }
  return counting(batch, matched(batch.matchers, listMarks, event), sql`toUnixTimestamp64Milli(received_at)`)
}

/** Whether one fact meets any of them. */
export const isMet = (batch: ConversionBatch): Fragment => sql`notEmpty(${metOfFact(batch)})`

function factHits(scope: TrackerScope, batch: ConversionBatch): Fragment {
  const met = metOfFact(batch)
  return sql`
  SELECT hits, has_pageview, ${unpackedOrigin(sql`origin`)}
  FROM (
    SELECT arrayFlatten(arrayMap(event -> event.4, ordered)) AS hits, arrayExists(event -> event.3, ordered) AS has_pageview,
      arrayFirst(event -> event.3, ordered).5 AS origin
    FROM (${gatheredSessions(scope, sql`kind = 'pageview', ${met}, ${packedOrigin}`, isMet(batch))})
    WHERE notEmpty(hits)
  )`
}
