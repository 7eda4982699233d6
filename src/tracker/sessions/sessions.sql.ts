/**
 * Sessions from facts. A session is of one visitor and one UTC day, and ends after 30 minutes without an event, by the
 * time of receipt (decisions 5, rules 6).
 */
import { and, day as date, type Fragment, instant, list, or, sql, text, uint, uuid } from '#evidence/sql.ts'
import { OWN_REFERRER } from '../acquisition/own-referrer.ts'
import { SESSION_SILENCE_MS, type Settling, type TrackerScope } from '../scope.ts'
import { carriedBy, type EventLayout, eventTuples, packedEvents } from './event-layouts.sql.ts'

/** The stream of visitors, and the stream of development origins if the answer includes it. */
export const visitorStreams = ({ with_development = false }: Pick<TrackerScope, 'with_development'>): Fragment =>
  with_development ? sql`stream IN ('browser', 'development')` : sql`stream = 'browser'`

/** Events of visitors, without bots and servers, on the days that are read from facts. */
export const ofVisitors = (scope: TrackerScope): Fragment =>
  and([
    sql`site_id = ${uuid(scope.site_id)}`,
    sql`day IN ${list('Date', scope.fact_days)}`,
    visitorStreams(scope),
    sql`received_at <= ${instant(scope.cutoff)}`,
  ])

/** Conditions for events of visitors who may have sessions in `settling`; none if all sessions are read. */
export function ofSettling({ settling, ...scope }: TrackerScope): Fragment[] {
  if (settling === undefined) return []
  const { day, known } = settling
  const conditions = [
    ...(known === undefined ? [] : [sql`received_at >= ${instant(known.from)}`]),
    sql`visitor IN (${settlingVisitors(scope, settling)})`,
  ]
  // Without the OR, ClickHouse reads only the parts that can hold events of these times.
  if (scope.fact_days.length === 1) return conditions
  return [or([sql`day != ${date(day)}`, and(conditions)])]
}

/** Visitors who may have the sessions of `settling`. */
export function settlingVisitors(
  scope: TrackerScope,
  { day, after, by, active_after = 0, active_by }: Settling,
): Fragment {
  const later_than = Math.max(after - SESSION_SILENCE_MS, active_after)
  const visitors = (conditions: readonly Fragment[]) => sql`
        SELECT visitor
        FROM spoor.events
        WHERE ${and([ofVisitors({ ...scope, fact_days: [day] }), ...conditions])}
      `
  return visitors([
    ...(later_than <= 0 ? [] : [sql`received_at > ${instant(later_than)}`]),
    ...(by === null ? [] : [sql`received_at <= ${instant(by - SESSION_SILENCE_MS)}`]),
    ...(active_by === undefined ? [] : [sql`visitor IN (${visitors([sql`received_at <= ${instant(active_by)}`])})`]),
  ])
}

/**
 * Whether a row of `sessions` is the first session of its visitor on its day. It is true once per visitor, also where
 * earlier sessions are in the known builds.
 */
export function isFirstSession({ settling, ...scope }: TrackerScope): Fragment {
  const first = sql`session = 1`
  if (settling?.known === undefined) return first
  const { day } = settling
  const builds = settling.known.builds.map((build) => ({ day, build }))
  const before = sql`visitor IN (
      SELECT visitor
      FROM spoor.sessions
      WHERE ${inTrackerBuilds({ site_id: scope.site_id, builds })} AND visitor IN (${settlingVisitors(scope, settling)})
    )`
  return sql`${first} AND NOT (day = ${date(day)} AND ${before})`
}

/** The condition that keeps only the sessions of `settling`; empty if all sessions are read. */
function onlySettling({ settling }: TrackerScope, { receivedMs }: EventLayout): Fragment {
  if (settling === undefined) return sql``
  const { day, after, by } = settling
  const settled_ms = sql`${receivedMs(sql`session_events[-1]`)} + ${uint(SESSION_SILENCE_MS)}`
  const ends = [sql`${settled_ms} > ${uint(after)}`, ...(by === null ? [] : [sql`${settled_ms} <= ${uint(by)}`])]
  return sql`
    WHERE ${or([sql`day != ${date(day)}`, and(ends)])}`
}

/**
 * FINAL compares all rows that it reads. With `settling`, it reads only the events of some visitors, and other rows
 * with the same ids, of which the first receipt counts. If that row is of another visitor, the sessions of this visitor
 * are not among the wanted ones.
 */
const factsOf = (scope: TrackerScope): Fragment =>
  scope.settling === undefined
    ? sql`spoor.events FINAL
    WHERE ${ofVisitors(scope)}`
    : sql`spoor.events FINAL
    PREWHERE id IN (
      SELECT id
      FROM spoor.events
      WHERE ${and([ofVisitors(scope), ...ofSettling(scope)])}
    )
    WHERE ${ofVisitors(scope)}`

/** Whether a session whose last event was at `ended_ms` (epoch milliseconds) can no longer grow (rules 6). */
export const isClosed = (scope: TrackerScope, ended_ms: Fragment): Fragment =>
  or([
    sql`${ended_ms} + ${uint(SESSION_SILENCE_MS)} <= ${uint(scope.cutoff)}`,
    sql`day < toDate(${instant(scope.cutoff)})`,
  ])

/** The columns of the first pageview that describe the origin of a session. */
export const ACQUISITION = sql`referrer_host, has_click_id, utm_source, utm_medium, utm_campaign, utm_term, utm_content`

const hasCampaign = sql`(
  has_click_id OR utm_source != '' OR utm_medium != '' OR utm_campaign != '' OR utm_term != '' OR utm_content != ''
)`

/** The origin as one text, which is empty or short for most events. Seven columns per event would cost more. */
export const packedOrigin = sql`multiIf(
  ${hasCampaign}, toJSONString(tuple(${ACQUISITION})),
  referrer_host IN ('', ${text(OWN_REFERRER)}), toString(referrer_host),
  toJSONString(tuple(${ACQUISITION}))
)`

const packedProps = sql`if(empty(props), '', toJSONString(props))`
const unpackedProps = (packed: Fragment): Fragment =>
  sql`if(${packed} = '', map(), JSONExtract(${packed}, 'Map(LowCardinality(String), String)'))`

/** The columns of ACQUISITION, from a packed text. */
export const unpackedOrigin = (packed: Fragment): Fragment => sql`
      JSONExtract(
        ${packed},
        'Tuple(referrer_host String, has_click_id Bool, utm_source String, utm_medium String, utm_campaign String, utm_term String, utm_content String)'
      ) AS acquired,
      if(${packed} = ${text(OWN_REFERRER)}, ${packed}, acquired.referrer_host) AS referrer_host, acquired.has_click_id AS has_click_id,
      acquired.utm_source AS utm_source, acquired.utm_medium AS utm_medium, acquired.utm_campaign AS utm_campaign,
      acquired.utm_term AS utm_term, acquired.utm_content AS utm_content`

/**
 * The named parts of a statement up to `visits`: one row for each visitor and UTC day, with `visit_events`. With
 * `having`, only visitors with an event that meets it, because gathering events is expensive. With `settling`, few
 * visitors are gathered anyway.
 */
const gatheredVisits = (
  scope: TrackerScope,
  { columns, event }: Pick<EventLayout, 'columns' | 'event'>,
  having: Fragment | null = null,
): Fragment => sql`
  -- Events of visitors on the days that are read from facts, each once.
  visitor_events AS (
    SELECT day, visitor, ${columns}
    FROM ${factsOf(scope)}${having === null || scope.settling !== undefined ? sql`` : haveAny(scope, having)}
  ),
  -- One row for each visitor and UTC day, with the visitor's events in order of receipt.
  visits AS (
    SELECT day, visitor, arraySort(groupArray(${event})) AS visit_events
    FROM visitor_events
    GROUP BY day, visitor
  )`

const haveAny = (scope: TrackerScope, having: Fragment): Fragment => sql`
      AND visitor IN (
        SELECT visitor
        FROM spoor.events
        WHERE ${ofVisitors(scope)} AND ${having}
      )`

/**
 * The named parts of a statement up to `sessions`: one row per session, numbered from 1 within visitor and day, with
 * `session_events`, its events in order of receipt. Exactly 30 minutes without an event end a session.
 */
export const gatheredSessions = (
  scope: TrackerScope,
  layout: EventLayout,
  having: Fragment | null = null,
): Fragment => sql`${gatheredVisits(scope, layout, having)},
  -- The same, cut into sessions where no event came for 30 minutes.
  split_visits AS (
    SELECT day, visitor,
      arraySplit(
        (event, silence) -> silence >= ${uint(SESSION_SILENCE_MS)},
        visit_events,
        arrayDifference(arrayMap(event -> ${layout.receivedMs(sql`event`)}, visit_events))
      ) AS parts
    FROM visits
  ),
  -- One row for each session, numbered from 1 within visitor and day.
  sessions AS (
    SELECT day, visitor, session, session_events
    FROM split_visits
    ARRAY JOIN parts AS session_events, arrayEnumerate(parts) AS session${onlySettling(scope, layout)}
  )`

/** How many sessions there are: one column `sessions`, one row. */
export const sessionCount = (scope: TrackerScope): Fragment =>
  scope.settling === undefined ? countUncut(scope) : countCut(scope)

const countCut = (scope: TrackerScope): Fragment => sql`
  WITH ${gatheredSessions(scope, packedEvents(sql`0`))}
  SELECT count() AS sessions
  FROM sessions`

/** Counts sessions without splitting the visits. */
const countUncut = (scope: TrackerScope): Fragment => sql`
  WITH ${gatheredVisits(scope, { columns: sql`received_at`, event: sql`toUnixTimestamp64Milli(received_at)` })}
  SELECT toUInt64(sum(1 + arrayCount(silence -> silence >= ${uint(SESSION_SILENCE_MS)}, arrayDifference(visit_events)))) AS sessions
  FROM visits`

/** The page of a pageview, 0 for other events; and the pages of a session whose packed events carry this value. */
export const viewedPage = sql`if(kind = 'pageview', page_id, 0)`
export const viewedPages = sql`arrayFilter(page -> page != 0, arrayMap(event -> ${carriedBy(sql`event`)}, session_events))`

/** The layout of the events that spoor.sessions stores. */
const wholeEvents = eventTuples(
  sql`${viewedPage} AS page, if(kind = 'pageview', 0, page_id) AS event_page, name, request,
      ${packedProps} AS packed_props, ${packedOrigin} AS packed_origin`,
  sql`page, event_page, name, request, packed_props, packed_origin`,
  sql`page UInt64, event_page UInt64, name LowCardinality(String), request UInt64, packed_props String, packed_origin String`,
)

/**
 * One row per session of the days that are read from facts, with the columns of spoor.sessions (without site_id and
 * build) and `is_closed`. `tie_requests` is empty unless events of different requests have the same millisecond.
 */
export const sessionRows = (scope: TrackerScope): Fragment => sql`
  WITH ${gatheredSessions(scope, wholeEvents)},
  -- The same, with the pageviews of each session apart.
  viewed_sessions AS (
    SELECT day, visitor, session, session_events, arrayFilter(event -> event.page != 0, session_events) AS views
    FROM sessions
  )
  SELECT
      day, visitor, session, session_events[1].received_at AS started_at, session_events[-1].received_at AS ended_at,
      length(views) AS pageviews, length(session_events) AS events, views[1].page AS entry_page, views[-1].page AS exit_page,
      ${unpackedOrigin(sql`views[1].packed_origin`)},
      arrayMap(event -> event.page, session_events) AS pages,
      arrayMap(event -> event.event_page, session_events) AS event_pages,
      arrayMap(event -> event.name, session_events) AS names,
      arrayMap(
        event -> toUInt32(toUnixTimestamp64Milli(event.received_at) - toUnixTimestamp64Milli(started_at)), session_events
      ) AS offsets,
      arrayMap(event -> ${unpackedProps(sql`event.packed_props`)}, session_events) AS props,
      if(
        arrayExists(
          (event, before) -> event.received_at = before.received_at AND event.request != before.request,
          arrayPopFront(session_events), arrayPopBack(session_events)
        ),
        arrayMap(event -> event.request, session_events), []
      ) AS tie_requests,
      ${isClosed(scope, sql`toUnixTimestamp64Milli(ended_at)`)} AS is_closed
  FROM viewed_sessions`

/** Rows of a table of derived days that belong to the builds of the scope. */
export const inTrackerBuilds = (scope: Pick<TrackerScope, 'site_id' | 'builds'>): Fragment =>
  and([sql`site_id = ${uuid(scope.site_id)}`, inBuilds(scope.builds)])

/** Rows of these builds. A build has one day; separate lists of days and builds take half the time of pairs. */
export const inBuilds = (builds: readonly { day: string; build: number }[]): Fragment =>
  and([
    sql`day IN ${list('Date', [...new Set(builds.map((row) => row.day))])}`,
    sql`build IN ${list(
      'UInt64',
      builds.map((row) => row.build),
    )}`,
  ])
