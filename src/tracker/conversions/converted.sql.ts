/** Sessions with at least one conversion, whichever it is: by day, and by the page on which it happened. */
import Type from 'typebox'
import { count, type Fragment, list, rows, sql } from '#evidence/sql.ts'
import { type Evaluation, inDefinitionBuilds } from '../definitions/evaluated-days.ts'
import type { TrackerScope } from '../scope.ts'
import { carriedBy, inTrackerBuilds, isMarked, numberedSessions, viewedPage } from '../sessions/sessions.sql.ts'
import { unionAll } from '../union.sql.ts'
import { type ClosedDays, type ConversionBatch, metOfClosed, metOfFact } from './conversions.sql.ts'

/** `key` is what the rows are asked by: a day, or a page in decimal digits. Several rows may have the same key. */
const ConvertedRow = Type.Object({ key: Type.String(), sessions: count() })

/** Which rows an answer needs: the sums of days, or some pages over the window. */
export type ConvertedBy = 'day' | { page_ids: readonly string[] }

/**
 * Stored sums and every batch in ONE statement (rules 3). They are added up by whoever asks: to do it here costs the engine as much
 * planning as the rest.
 */
export const convertedCounts = (evaluation: Evaluation, batches: readonly ConversionBatch[], by: ConvertedBy) =>
  rows(
    ConvertedRow,
  )`${unionAll([storedSessions(evaluation, by), ...batches.map((batch) => convertedSessions(batch, by))])}`

function storedSessions(evaluation: Evaluation, by: ConvertedBy): Fragment {
  const stored = sql`FROM spoor.definition_daily WHERE ${inDefinitionBuilds(evaluation)}`
  if (by === 'day')
    return sql`SELECT toString(day) AS key, sum(sessions) AS sessions ${stored} AND dimension = '' GROUP BY day`
  return sql`
  SELECT identity AS key, sum(sessions) AS sessions ${stored} AND dimension = 'page' AND identity IN ${list('String', by.page_ids)}
  GROUP BY identity`
}

function convertedSessions(batch: ConversionBatch, by: ConvertedBy): Fragment {
  const from = 'fact_days' in batch.of ? factMet(batch.of, batch) : closedMet(batch.of, batch)
  if (by === 'day') return sql`SELECT toString(day) AS key, count() AS sessions FROM (${from}) GROUP BY day`
  return sql`
  SELECT toString(page) AS key, count() AS sessions
  FROM (SELECT arrayJoin(on_pages) AS page FROM (${from}))
  WHERE page IN ${list('UInt64', by.page_ids)}
  GROUP BY page`
}

/** `page_id` is empty for the sum of a day. */
const RowToStore = Type.Object({ day: Type.String(), page_id: Type.String(), sessions: count() })

/** For storing: the sums of the days and all pages. */
export const convertedToStore = (batch: ConversionBatch & { of: ClosedDays }) => rows(RowToStore)`
  SELECT toString(day) AS day, if(page = 0, '', toString(page)) AS page_id, count() AS sessions
  FROM (SELECT day, arrayJoin(arrayPushFront(on_pages, toUInt64(0))) AS page FROM (${closedMet(batch.of, batch)}))
  GROUP BY day, page`

/** An event happens on the page that was seen last; before the first pageview that is none. `pages` and `events` lie side by side. */
const onPages = (pages: Fragment, events: Fragment, isMet: (event: Fragment) => Fragment): Fragment => sql`
  arrayDistinct(arrayFilter((page, event) -> page != 0 AND ${isMet(sql`event`)}, arrayFill(page -> page != 0, ${pages}), ${events}))`

const notEmpty = (met: Fragment): Fragment => sql`notEmpty(${met})`

const closedMet = (days: ClosedDays, batch: ConversionBatch): Fragment => sql`
  SELECT day, ${onPages(sql`pages`, sql`mets`, notEmpty)} AS on_pages
  FROM (SELECT day, pages, ${metOfClosed(batch)} AS mets FROM spoor.sessions WHERE ${inTrackerBuilds(days)})
  WHERE arrayExists(met -> notEmpty(met), mets)`

const factMet = (scope: TrackerScope, batch: ConversionBatch): Fragment => sql`
  SELECT day, ${onPages(sql`arrayMap(event -> ${carriedBy(sql`event`)}, ordered)`, sql`ordered`, isMarked)} AS on_pages
  FROM (${numberedSessions(scope, viewedPage, notEmpty(metOfFact(batch)))})
  WHERE arrayExists(event -> ${isMarked(sql`event`)}, ordered)`
