/** Sessions out of facts: one visitor, one UTC day, closed by 30 minutes of silence, in order of receipt (decisions 5, rules 6). */
import { and, type Fragment, instant, list, or, sql, text, uint, uuid } from '#evidence/sql.ts'
import { OWN_REFERRER } from '../acquisition/own-referrer.ts'
import { SESSION_SILENCE_MS, type TrackerScope } from '../scope.ts'

/** Events of visitors, no bots and no servers, on the days that are read from facts. */
export const ofVisitors = (scope: TrackerScope): Fragment =>
  and([
    sql`site_id = ${uuid(scope.site_id)}`,
    sql`day IN ${list('Date', scope.fact_days)}`,
    sql`stream = 'browser'`,
    sql`received_at <= ${instant(scope.cutoff)}`,
  ])

/** Each of them once; all of those visitors only who have an event that meets `having`, where it is given. */
const visitorEvents = (scope: TrackerScope, having: Fragment | null = null): Fragment =>
  having === null
    ? sql`FROM spoor.events FINAL WHERE ${ofVisitors(scope)}`
    : sql`
  FROM spoor.events FINAL
  WHERE ${ofVisitors(scope)} AND visitor IN (SELECT visitor FROM spoor.events WHERE ${ofVisitors(scope)} AND ${having})`

/** Whether a session that ended at `ended_ms` (epoch milliseconds) can grow no more: its silence has lasted, or its day has ended (rules 6). */
export const isClosed = (scope: TrackerScope, ended_ms: Fragment): Fragment =>
  or([
    sql`${ended_ms} + ${uint(SESSION_SILENCE_MS)} <= ${uint(scope.cutoff)}`,
    sql`day < toDate(${instant(scope.cutoff)})`,
  ])

/** What the first pageview of a session says about where it came from. */
export const ACQUISITION = sql`referrer_host, has_click_id, utm_source, utm_medium, utm_campaign, utm_term, utm_content`

const hasCampaign = sql`(
  has_click_id OR utm_source != '' OR utm_medium != '' OR utm_campaign != '' OR utm_term != '' OR utm_content != ''
)`

/**
 * The same of a fact as one text, empty or short for most: seven columns beside every event cost more than all the rest.
 */
export const packedOrigin = sql`multiIf(
  ${hasCampaign}, toJSONString(tuple(${ACQUISITION})),
  referrer_host IN ('', ${text(OWN_REFERRER)}), toString(referrer_host),
  toJSONString(tuple(${ACQUISITION}))
)`

const packedProps = sql`if(empty(props), '', toJSONString(props))`
const unpackedProps = (packed: Fragment): Fragment =>
  sql`if(${packed} = '', map(), JSONExtract(${packed}, 'Map(LowCardinality(String), String)'))`

/** The columns of ACQUISITION out of a packed text. */
export const unpackedOrigin = (packed: Fragment): Fragment => sql`
  JSONExtract(${packed}, 'Tuple(String, Bool, String, String, String, String, String)') AS acquired,
  if(${packed} = ${text(OWN_REFERRER)}, ${packed}, acquired.1) AS referrer_host, acquired.2 AS has_click_id, acquired.3 AS utm_source, acquired.4 AS utm_medium,
  acquired.5 AS utm_campaign, acquired.6 AS utm_term, acquired.7 AS utm_content`

/**
 * One row per session, numbered from 1 within visitor and day, with `ordered`, its events in their order: tuples of received_at, seq and
 * these columns. Silence of exactly 30 minutes ends a session, because a session is closed at that instant. With `having` only
 * visitors of whom an event meets it: gathering is what costs.
 */
export const gatheredSessions = (scope: TrackerScope, columns: Fragment, having: Fragment | null = null): Fragment =>
  splitWalks(
    sql`
      SELECT day, visitor, arraySort(groupArray((received_at, seq, ${columns}))) AS walked
      ${visitorEvents(scope, having)}
      GROUP BY day, visitor`,
    sql`toUnixTimestamp64Milli(e.1)`,
  )

/**
 * The same with one number of 64 bits for each event instead of columns, in a third of the time: an event is one number of 128 bits,
 * first its order, then whether it is a pageview and whether it is `marked`, then what it carries (`carriedBy`). The order is the
 * millisecond of receipt, within it the last 20 bits of `seq`.
 */
export const numberedSessions = (scope: TrackerScope, carried: Fragment, marked: Fragment = sql`0`): Fragment =>
  splitWalks(
    sql`
      SELECT day, visitor, arraySort(groupArray(
        bitShiftLeft(toUInt128(toUnixTimestamp64Milli(received_at)), 86) + bitShiftLeft(toUInt128(seq % 1048576), 66)
          + bitShiftLeft(toUInt128(kind = 'pageview'), 65) + bitShiftLeft(toUInt128(${marked}), 64) + toUInt64(${carried})
      )) AS walked
      ${visitorEvents(scope)}
      GROUP BY day, visitor`,
    receivedMs(sql`e`),
  )

/** How many sessions there are, without gathering them: one column `sessions`, one row. */
export const sessionCount = (scope: TrackerScope): Fragment => sql`
  SELECT toUInt64(sum(1 + arrayCount(silence -> silence >= ${uint(SESSION_SILENCE_MS)}, arrayDifference(received)))) AS sessions
  FROM (
    SELECT arraySort(groupArray(toUnixTimestamp64Milli(received_at))) AS received
    ${visitorEvents(scope)}
    GROUP BY day, visitor
  )`

/** When an event of `numberedSessions` was received, epoch milliseconds. */
export const receivedMs = (event: Fragment): Fragment => sql`toUInt64(bitShiftRight(${event}, 86))`

/** Whether an event of `numberedSessions` is marked. */
export const isMarked = (event: Fragment): Fragment => sql`toUInt8(bitShiftRight(${event}, 64)) % 2 = 1`

/** Whether an event of `numberedSessions` is a pageview. */
export const isPageview = (event: Fragment): Fragment => sql`toUInt8(bitShiftRight(${event}, 65)) % 2 = 1`

/** What an event of `numberedSessions` carries. */
export const carriedBy = (event: Fragment): Fragment => sql`toUInt64(${event})`

/** A pageview carries its page, any other event 0; and the pages of a session that was gathered so. */
export const viewedPage = sql`if(kind = 'pageview', page_id, 0)`
export const walkedPages = sql`arrayFilter(page -> page != 0, arrayMap(event -> ${carriedBy(sql`event`)}, ordered))`

const splitWalks = (walks: Fragment, received_ms: Fragment): Fragment => sql`
  SELECT day, visitor, session, ordered
  FROM (
    SELECT day, visitor,
      arraySplit(
        (e, silence) -> silence >= ${uint(SESSION_SILENCE_MS)}, walked, arrayDifference(arrayMap(e -> ${received_ms}, walked))
      ) AS parts
    FROM (${walks})
  )
  ARRAY JOIN parts AS ordered, arrayEnumerate(parts) AS session`

/**
 * One row per session of the days that are read from facts, with the columns of spoor.sessions (without site_id and build) and
 * `is_closed`. `tie_requests` is empty unless two events of different requests were received in the same millisecond.
 */
export const sessionRows = (scope: TrackerScope): Fragment => sql`
  SELECT
    day, visitor, session, ordered[1].1 AS started_at, ordered[-1].1 AS ended_at,
    length(views) AS pageviews, length(ordered) AS events, views[1].3 AS entry_page, views[-1].3 AS exit_page,
    ${unpackedOrigin(sql`views[1].7`)},
    arrayMap(e -> e.3, ordered) AS pages,
    arrayMap(e -> e.8, ordered) AS event_pages,
    arrayMap(e -> e.4, ordered) AS names,
    arrayMap(e -> toUInt32(toUnixTimestamp64Milli(e.1) - toUnixTimestamp64Milli(started_at)), ordered) AS offsets,
    arrayMap(e -> ${unpackedProps(sql`e.6`)}, ordered) AS props,
    if(
      arrayExists((e, before) -> e.1 = before.1 AND e.5 != before.5, arrayPopFront(ordered), arrayPopBack(ordered)),
      arrayMap(e -> e.5, ordered), []
    ) AS tie_requests,
    ${isClosed(scope, sql`toUnixTimestamp64Milli(ended_at)`)} AS is_closed
  FROM (
    SELECT day, visitor, session, ordered, arrayFilter(e -> e.3 != 0, ordered) AS views
    FROM (${gatheredSessions(scope, sql`${viewedPage}, name, request, ${packedProps}, ${packedOrigin}, if(kind = 'pageview', 0, page_id)`)})
  )`

/** Rows of a table of closed days that belong to builds that count. */
export const inTrackerBuilds = (scope: Pick<TrackerScope, 'site_id' | 'builds'>): Fragment =>
  and([sql`site_id = ${uuid(scope.site_id)}`, inBuilds(scope.builds)])

/** Rows of these builds. A build has one day, so that days and builds may be asked for apart, in half the time of asking for pairs. */
export const inBuilds = (builds: readonly { day: string; build: number }[]): Fragment =>
  and([
    sql`day IN ${list('Date', [...new Set(builds.map((row) => row.day))])}`,
    sql`build IN ${list(
      'UInt64',
      builds.map((row) => row.build),
    )}`,
  ])
