/** Sessions out of facts: one visitor, one UTC day, closed by 30 minutes of silence, in order of receipt (decisions 5, rules 6). */
import { and, type Fragment, instant, list, or, sql, tuples, uint, uuid } from '#evidence/sql.ts'
import { SESSION_SILENCE_MS, type TrackerScope } from '../scope.ts'

/** Events of visitors (no bots, no servers) on the days that are read from facts, each once. */
const visitorEvents = (scope: TrackerScope): Fragment => sql`
  FROM spoor.events FINAL
  WHERE ${and([
    sql`site_id = ${uuid(scope.site_id)}`,
    sql`day IN ${list('Date', scope.fact_days)}`,
    sql`stream = 'browser'`,
    sql`received_at <= ${instant(scope.cutoff)}`,
  ])}`

/**
 * The same with `session`, numbered from 1 within visitor and day, and `begins`, true for its first event. Silence of exactly 30
 * minutes ends a session, because a session is closed at that instant. `made` says how columns come from those of a fact, where they
 * are none of them: what is not named is not sorted.
 */
export const sessionEvents = (scope: TrackerScope, columns: Fragment, made: Fragment = columns): Fragment => sql`
  SELECT day, visitor, received_at, seq, begins, ${columns},
    sum(begins) OVER (PARTITION BY day, visitor ORDER BY received_at, seq ROWS UNBOUNDED PRECEDING) AS session
  FROM (
    SELECT day, visitor, received_at, seq, ${made},
      toUInt32(toUnixTimestamp64Milli(received_at) - toUnixTimestamp64Milli(
        lagInFrame(received_at, 1, toDateTime64('1970-01-01 00:00:00.000', 3, 'UTC'))
          OVER (PARTITION BY day, visitor ORDER BY received_at, seq ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
      ) >= ${uint(SESSION_SILENCE_MS)}) AS begins
    ${visitorEvents(scope)}
  )`

/** Whether a session can grow no more: its silence has lasted, or its UTC day has ended (rules 6). */
export const isClosed = (scope: TrackerScope, endedAt: Fragment): Fragment =>
  or([
    sql`toUnixTimestamp64Milli(${endedAt}) + ${uint(SESSION_SILENCE_MS)} <= ${uint(scope.cutoff)}`,
    sql`day < toDate(${instant(scope.cutoff)})`,
  ])

/** What the first pageview of a session says about where it came from. */
export const ACQUISITION = sql`referrer_host, has_click_id, utm_source, utm_medium, utm_campaign, utm_term, utm_content`

/**
 * The same of a fact as one text, empty for most, for answers that need nothing else: seven columns take longer through the sort of
 * sessions and the choice of the first pageview than all the rest.
 */
export const packedOrigin = sql`toLowCardinality(if(
  referrer_host = '' AND NOT has_click_id AND utm_source = '' AND utm_medium = '' AND utm_campaign = '' AND utm_term = '' AND utm_content = '',
  '', toJSONString(tuple(${ACQUISITION}))))`

const packedProps = sql`if(empty(props), '', toJSONString(props))`
const unpackedProps = (packed: Fragment): Fragment =>
  sql`if(${packed} = '', map(), JSONExtract(${packed}, 'Map(LowCardinality(String), String)'))`

/** The columns of ACQUISITION out of a packed text. */
export const unpackedOrigin = (packed: Fragment): Fragment => sql`
  JSONExtract(toString(${packed}), 'Tuple(String, Bool, String, String, String, String, String)') AS acquired,
  acquired.1 AS referrer_host, acquired.2 AS has_click_id, acquired.3 AS utm_source, acquired.4 AS utm_medium,
  acquired.5 AS utm_campaign, acquired.6 AS utm_term, acquired.7 AS utm_content`

/**
 * One row per session of the days that are read from facts, with the columns of spoor.sessions (without site_id and build) and
 * `is_closed`. `tie_requests` is empty unless two events of different requests were received in the same millisecond. Each visitor's
 * events are gathered and sorted for themselves, several times faster than sorting all events of a day with their texts.
 */
export const sessionRows = (scope: TrackerScope): Fragment => sql`
  SELECT
    day, visitor, session, ordered[1].1 AS started_at, ordered[-1].1 AS ended_at,
    length(views) AS pageviews, length(ordered) AS events, views[1].3 AS entry_page, views[-1].3 AS exit_page,
    ${unpackedOrigin(sql`views[1].7`)},
    arrayMap(e -> e.3, ordered) AS pages,
    arrayMap(e -> e.4, ordered) AS names,
    arrayMap(e -> toUInt32(toUnixTimestamp64Milli(e.1) - toUnixTimestamp64Milli(started_at)), ordered) AS offsets,
    arrayMap(e -> ${unpackedProps(sql`e.6`)}, ordered) AS props,
    if(
      arrayExists((e, before) -> e.1 = before.1 AND e.5 != before.5, arrayPopFront(ordered), arrayPopBack(ordered)),
      arrayMap(e -> e.5, ordered), []
    ) AS tie_requests,
    ${isClosed(scope, sql`ended_at`)} AS is_closed
  FROM (
    SELECT day, visitor, session, ordered, arrayFilter(e -> e.3 != 0, ordered) AS views
    FROM (
      SELECT day, visitor,
        arraySplit(
          (e, silence) -> silence >= ${uint(SESSION_SILENCE_MS)},
          walked, arrayDifference(arrayMap(e -> toUnixTimestamp64Milli(e.1), walked))
        ) AS parts
      FROM (
        SELECT day, visitor, arraySort(groupArray((
          received_at, seq, if(kind = 'pageview', page_id, 0), name, request, ${packedProps}, ${packedOrigin}
        ))) AS walked
        ${visitorEvents(scope)}
        GROUP BY day, visitor
      )
    )
    ARRAY JOIN parts AS ordered, arrayEnumerate(parts) AS session
  )`

/** Rows of a table of closed days that belong to builds that count. */
export const inTrackerBuilds = (scope: TrackerScope): Fragment =>
  and([
    sql`site_id = ${uuid(scope.site_id)}`,
    sql`(day, build) IN ${tuples(
      'Tuple(Date, UInt64)',
      scope.builds.map((row) => [row.day, String(row.build)]),
    )}`,
  ])
