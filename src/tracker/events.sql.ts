/** Counts events by name, declared property and target, from facts (rules 6.15). */
import Type from 'typebox'
import { and, count, type Fragment, instant, list, or, rows, sql, uint, uuid } from '#evidence/sql.ts'
import { FILE_KEY, HOST_KEY } from './collection/read-target.ts'
import { daysOf, type TrackerScope } from './scope.ts'
import { visitorStreams } from './sessions/sessions.sql.ts'

/** The key of a declared property in the statement. */
export const declaredKey = (name: string, key: string) => `${name}\n${key}`

export interface EventCountsInput {
  scope: TrackerScope
  /** Keys (`declaredKey`) of properties whose values are counted. */
  counted: readonly string[]
  /** Keys of properties whose values are added up. */
  summed: readonly string[]
  /** Rows with fewer visitors are withheld; they come last. */
  privacy_floor: number
  limit: number
}

/**
 * `of_key` is empty for the events of a name, HOST_KEY or FILE_KEY for targets, or a declared property. `of_value` is
 * empty for a property whose values are added up.
 */
const EventRow = Type.Object({
  of_name: Type.String(),
  of_key: Type.String(),
  of_value: Type.String(),
  events: count(),
  server_events: count(),
  /** The sum of the distinct visitors of each day. */
  visitor_days: count(),
  /** Sum of integers, decimal. */
  total: Type.String(),
  is_withheld: count(),
  /** The number of rows of the list, including withheld ones. */
  list_rows: count(),
  list_withheld: count(),
  /** The events of all rows of the list that are not withheld. */
  list_events: count(),
})

/** The part `named` of a statement: named events. */
export const namedEvents = (
  scope: TrackerScope,
): Fragment => sql`-- Named events of visitors and of customers' servers, each once.
  named AS (
    SELECT day, visitor, stream, toString(name) AS name, props
    FROM spoor.events FINAL
    WHERE ${and([
      sql`site_id = ${uuid(scope.site_id)}`,
      sql`day IN ${list('Date', daysOf(scope))}`,
      or([visitorStreams(scope), sql`stream = 'server'`]),
      sql`kind != 'pageview'`,
      sql`received_at <= ${instant(scope.cutoff)}`,
    ])}
  )`

/** The rows of each list with the most events, in ONE statement (rules 3). */
export const eventCounts = ({ scope, counted, summed, privacy_floor, limit }: EventCountsInput) => {
  const targets = list('String', [HOST_KEY, FILE_KEY])
  return rows(EventRow)`
  WITH
  ${namedEvents(scope)},
  -- One row for each event, and one for each property and target that it carries.
  carried AS (
    SELECT day, visitor, stream, name, concat(name, '\\n', prop_key) AS declared, prop_key, prop_value
    FROM named
    ARRAY JOIN arrayConcat([''], arrayMap(key -> toString(key), mapKeys(props))) AS prop_key,
      arrayConcat([''], mapValues(props)) AS prop_value
  ),
  -- The same, added up by name, by target, and by declared property and value.
  counted AS (
    SELECT if(prop_key IN ${targets}, '', name) AS of_name, prop_key AS of_key,
      if(declared IN ${list('String', summed)}, '', prop_value) AS of_value,
      count() AS events, countIf(stream = 'server') AS server_events,
      uniqExactIf((day, visitor), stream != 'server') AS visitor_days,
      toString(sum(toInt128(if(declared IN ${list('String', summed)}, toInt64OrZero(prop_value), 0)))) AS total,
      visitor_days > 0 AND visitor_days < ${uint(privacy_floor)} AS is_withheld
    FROM carried
    WHERE prop_key = '' OR prop_key IN ${targets} OR declared IN ${list('String', counted)}
      OR (declared IN ${list('String', summed)} AND toInt64OrNull(prop_value) IS NOT NULL)
    GROUP BY of_name, of_key, of_value
  )
  SELECT of_name, of_key, of_value, events, server_events, visitor_days, total, is_withheld,
    count() OVER list AS list_rows, countIf(is_withheld) OVER list AS list_withheld,
    sumIf(counted.events, NOT is_withheld) OVER list AS list_events
  FROM counted
  WINDOW list AS (PARTITION BY if(of_key = '', '', of_name), of_key)
  ORDER BY is_withheld, events DESC, of_name, of_key, of_value
  LIMIT ${uint(limit)} BY if(of_key = '', '', of_name), of_key`
}
