import Type from 'typebox'
import { exceptParts, nameOfPart, unionActiveParts } from '#derived/part-sums.sql.ts'
import { count, day as date, instant, rows, sql, uuid } from '#evidence/sql.ts'
import { SESSION_SILENCE_MS } from '../scope.ts'
import { packedEvents, packedMs } from './event-layouts.sql.ts'
import { gatheredSessions, inTrackerBuilds, visitorStreams } from './sessions.sql.ts'

const EventsOfPart = Type.Object({ part: Type.String(), rows: count(), sum: Type.String() })

/**
 * A fingerprint of the visitors' events of a day that were received before an instant (epoch milliseconds): their
 * number and a sum of hashes. One row for each part of the table that is not in `known`; one row in all if it is null.
 */
export const eventsBefore = (site_id: string, day: string, before: number, known: readonly string[] | null) => rows(
  EventsOfPart,
)`
  SELECT ${nameOfPart(known)} AS part, count() AS rows, toString(sum(cityHash64(id, received_at))) AS sum
  FROM spoor.events
  WHERE site_id = ${uuid(site_id)} AND day = ${date(day)} AND ${visitorStreams({})} AND received_at < ${instant(before)}
    ${exceptParts(known)}
  GROUP BY part
  ${unionActiveParts(known, 'events', sql`0, '0'`)}`

export interface SettledBy {
  site_id: string
  day: string
  /** Epoch milliseconds. */
  by: number
  /** The builds with the sessions that had settled by then. */
  builds: readonly number[]
}

/**
 * About the sessions of a day that had not settled by an instant: `first_ms` is the time of receipt of their first
 * event, among visitors with an event 30 minutes or more before the instant (epoch milliseconds; 0 without such
 * sessions). Other visitors have only later events. `settled_events` is the number of events of the settled sessions.
 */
export const longSessions = ({ site_id, day, by, builds }: SettledBy) => rows(
  Type.Object({ first_ms: count(), settled_events: count() }),
)`
  WITH ${gatheredSessions(
    {
      site_id,
      builds: [],
      fact_days: [day],
      cutoff: by,
      settling: { day, after: by, by: null, active_by: by - SESSION_SILENCE_MS },
    },
    packedEvents(sql`0`),
  )}
  SELECT min(${packedMs(sql`session_events[1]`)}) AS first_ms,
    (
      SELECT sum(events)
      FROM spoor.sessions
      WHERE ${inTrackerBuilds({ site_id, builds: builds.map((build) => ({ day, build })) })}
    ) AS settled_events
  FROM sessions`
