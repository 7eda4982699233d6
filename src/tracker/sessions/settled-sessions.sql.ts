import Type from 'typebox'
import { day as date, instant, rows, uuid } from '#evidence/sql.ts'
import { visitorStreams } from './sessions.sql.ts'

/** Names the visitors' events of a day that were received before an instant, epoch milliseconds. */
export const eventsBefore = (site_id: string, day: string, before: number) => rows(
  Type.Object({ name: Type.String() }),
)`
  SELECT concat(toString(count()), ' ', toString(sum(cityHash64(id, received_at)))) AS name
  FROM spoor.events
  WHERE site_id = ${uuid(site_id)} AND day = ${date(day)} AND ${visitorStreams({})} AND received_at < ${instant(before)}`
