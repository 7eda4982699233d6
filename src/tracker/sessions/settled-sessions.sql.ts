import Type from 'typebox'
import { andActiveParts, butParts, nameOfPart } from '#derived/part-sums.sql.ts'
import { count, day as date, instant, rows, sql, uuid } from '#evidence/sql.ts'
import { packedEvents, packedMs } from './event-layouts.sql.ts'
import { gatheredSessions, inTrackerBuilds, visitorStreams } from './sessions.sql.ts'

const EventsOfPart = Type.Object({ part: Type.String(), rows: count(), sum: Type.String() })

/**
 * What names the visitors' events of a day that were received before an instant, epoch milliseconds, of each part of
 * the table but the `known` ones, or of all together: their number and a sum of hashes.
 */
export const eventsBefore = (site_id: string, day: string, before: number, known: readonly string[] | null) => rows(
  EventsOfPart,
)`
  SELECT ${nameOfPart(known)} AS part, count() AS rows, toString(sum(cityHash64(id, received_at))) AS sum
  FROM spoor.events
  WHERE site_id = ${uuid(site_id)} AND day = ${date(day)} AND ${visitorStreams({})} AND received_at < ${instant(before)}
    ${butParts(known)}
  GROUP BY part
  ${andActiveParts(known, 'events', sql`0, '0'`)}`

export interface SettledBy {
  site_id: string
  day: string
  /** Epoch milliseconds. */
  by: number
  /** Hold the sessions that had settled by then. */
  builds: readonly number[]
}

/**
 * The sessions of a day that had not settled by an instant: when the first of their events was received, epoch
 * milliseconds, 0 where there are none, and how many events they had; and how many events those have that had settled.
 */
export const openSessions = ({ site_id, day, by, builds }: SettledBy) => rows(
  Type.Object({ first_ms: count(), open_events: count(), settled_events: count() }),
)`
  WITH ${gatheredSessions(
    { site_id, builds: [], fact_days: [day], cutoff: by, settling: { day, after: by, by: null } },
    packedEvents(sql`0`),
  )}
  SELECT min(${packedMs(sql`session_events[1]`)}) AS first_ms, sum(length(session_events)) AS open_events,
    (
      SELECT sum(events)
      FROM spoor.sessions
      WHERE ${inTrackerBuilds({ site_id, builds: builds.map((build) => ({ day, build })) })}
    ) AS settled_events
  FROM sessions`
