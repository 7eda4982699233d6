/** Counts sessions with at least one conversion by day, and by the page of the conversion. */
import Type from 'typebox'
import { count, type Fragment, rows, sql } from '#evidence/sql.ts'
import { type Evaluation, inDefinitionBuilds } from '../definitions/evaluated-days.ts'
import { inTrackerBuilds } from '../sessions/sessions.sql.ts'
import { type ClosedBatch, metOfClosed } from './conversions.sql.ts'
import type { ConvertedPlan } from './converted.ts'

/** Statements with rows (day, converted) of closed days. A day may have several rows. */
export const convertedOfDays = ({ stored, closed }: ConvertedPlan): Fragment[] => [
  ...(stored.stored.length === 0 ? [] : [storedOfDays(stored)]),
  ...(closed === null ? [] : [countedOfDays(closed)]),
]

const storedOfDays = (stored: Evaluation): Fragment => sql`
  SELECT day, sum(sessions) AS converted
  FROM spoor.definition_daily
  WHERE ${inDefinitionBuilds(stored)} AND dimension = ''
  GROUP BY day`

const countedOfDays = (closed: ClosedBatch): Fragment => sql`
  WITH ${closedMet(closed)}
  SELECT day, count() AS converted
  FROM converted_sessions
  GROUP BY day`

/** Statements with rows (page_id, converted) of closed days. A page may have several rows. */
export const convertedOnPages = ({ stored, closed }: ConvertedPlan): Fragment[] => [
  ...(stored.stored.length === 0 ? [] : [storedOnPages(stored)]),
  ...(closed === null ? [] : [countedOnPages(closed)]),
]

const storedOnPages = (stored: Evaluation): Fragment => sql`
  SELECT toUInt64(identity) AS page_id, sessions AS converted
  FROM spoor.definition_daily
  WHERE ${inDefinitionBuilds(stored)} AND dimension = 'page'`

const countedOnPages = (closed: ClosedBatch): Fragment => sql`
  WITH ${closedMet(closed)}
  SELECT page AS page_id, count() AS converted
  FROM converted_sessions
  ARRAY JOIN on_pages AS page
  GROUP BY page`

/** `page_id` is empty for the sum of a day. */
const RowToStore = Type.Object({ day: Type.String(), page_id: Type.String(), sessions: count() })

/** The sums of days and pages that are stored. */
export const convertedToStore = (batch: ClosedBatch) =>
  rows(RowToStore)`
  WITH ${closedMet(batch)}
  SELECT toString(day) AS day, if(page = 0, '', toString(page)) AS page_id, count() AS sessions
  FROM (SELECT day, arrayJoin(arrayPushFront(on_pages, toUInt64(0))) AS page FROM converted_sessions)
  GROUP BY day, page`

/** The parts up to `converted_sessions`. A conversion counts on the page of its event (rules 6). */
const closedMet = (batch: ClosedBatch): Fragment => sql`
  -- For each event of a session its page and the conversions that it met.
  session_hits AS (
    SELECT day, arrayMap((viewed, other) -> viewed + other, pages, event_pages) AS own_pages, ${metOfClosed(batch)} AS hits
    FROM spoor.sessions
    WHERE ${inTrackerBuilds(batch.of)}
  ),
  -- Sessions with a conversion, and the pages on which one happened.
  converted_sessions AS (
    SELECT day, arrayDistinct(arrayFilter((page, met) -> page != 0 AND notEmpty(met), own_pages, hits)) AS on_pages
    FROM session_hits
    WHERE arrayExists(met -> notEmpty(met), hits)
  )`
