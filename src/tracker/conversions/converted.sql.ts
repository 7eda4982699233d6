/** Sessions with at least one conversion, whichever it is: by day, and by the page on which it happened. */
import Type from 'typebox'
import { count, type Fragment, list, rows, sql } from '#evidence/sql.ts'
import { type Evaluation, inDefinitionBuilds } from '../definitions/evaluated-days.ts'
import type { TrackerScope } from '../scope.ts'
import { gatheredSessions, inTrackerBuilds } from '../sessions/sessions.sql.ts'
import { type ClosedDays, type ConversionBatch, metOfClosed, metOfFact } from './conversions.sql.ts'

/** `page_id` is empty for the sum of a day, else decimal digits. */
const ConvertedRow = Type.Object({ day: Type.String(), page_id: Type.String(), sessions: count() })

/** Which rows an answer needs: the sums of days, or some pages over the window. */
export type ConvertedBy = 'day' | { page_ids: readonly string[] }

/** Stored sums and every batch in ONE statement (rules 3). */
export const convertedCounts = (evaluation: Evaluation, batches: readonly ConversionBatch[], by: ConvertedBy) =>
  rows(ConvertedRow)`
  SELECT toString(day) AS day, page_id, sum(sessions) AS sessions
  FROM (${batches.reduce(
    (all, batch) => sql`${all} UNION ALL ${convertedSessions(batch, by)}`,
    storedSessions(evaluation, by),
  )})
  GROUP BY day, page_id`

const storedSessions = (evaluation: Evaluation, by: ConvertedBy): Fragment => sql`
  SELECT day, identity AS page_id, sessions
  FROM spoor.definition_daily
  WHERE ${inDefinitionBuilds(evaluation)}
    AND ${by === 'day' ? sql`dimension = ''` : sql`dimension = 'page' AND identity IN ${list('String', by.page_ids)}`}`

function convertedSessions(batch: ConversionBatch, by: ConvertedBy): Fragment {
  const from = 'fact_days' in batch.of ? factMet(batch.of, batch) : closedMet(batch.of, batch)
  if (by === 'day') return sql`SELECT day, '' AS page_id, count() AS sessions FROM (${from}) GROUP BY day`
  return sql`
  SELECT day, toString(page) AS page_id, count() AS sessions
  FROM (SELECT day, arrayJoin(on_pages) AS page FROM (${from}))
  WHERE page IN ${list('UInt64', by.page_ids)}
  GROUP BY day, page`
}

/** For storing: the sums of the days and all pages. */
export const convertedToStore = (batch: ConversionBatch & { of: ClosedDays }) => rows(ConvertedRow)`
  SELECT toString(day) AS day, if(page = 0, '', toString(page)) AS page_id, count() AS sessions
  FROM (SELECT day, arrayJoin(arrayPushFront(on_pages, toUInt64(0))) AS page FROM (${closedMet(batch.of, batch)}))
  GROUP BY day, page`

/** An event happens on the page that was seen last; before the first pageview that is none. */
const onPages = (met: Fragment): Fragment => sql`
  arrayDistinct(arrayFilter((page, met) -> page != 0 AND notEmpty(met), arrayFill(page -> page != 0, pages), ${met}))`

const closedMet = (days: ClosedDays, batch: ConversionBatch): Fragment => sql`
  SELECT day, ${onPages(sql`mets`)} AS on_pages
  FROM (SELECT day, pages, ${metOfClosed(batch)} AS mets FROM spoor.sessions WHERE ${inTrackerBuilds(days)})
  WHERE arrayExists(met -> notEmpty(met), mets)`

function factMet(scope: TrackerScope, batch: ConversionBatch): Fragment {
  const isMet = sql`notEmpty(${metOfFact(batch)})`
  const columns = sql`if(kind = 'pageview', page_id, 0), ${isMet}`
  return sql`
  SELECT day, arrayMap(event -> event.3, ordered) AS pages, ${onPages(sql`arrayMap(event -> if(event.4, [1], []), ordered)`)} AS on_pages
  FROM (${gatheredSessions(scope, columns, isMet)})
  WHERE arrayExists(event -> event.4, ordered)`
}
