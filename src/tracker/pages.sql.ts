import Type from 'typebox'
import { oneOf } from '#contract/fields.ts'
import { PATH_FIDELITIES } from '#contract/vocabulary.ts'
import { count, type Fragment, list, rows, sql, uint, unionAll, uuid } from '#evidence/sql.ts'
import { type FactBatch, isMet } from './conversions/conversions.sql.ts'
import { convertedOnPages } from './conversions/converted.sql.ts'
import type { ConvertedPlan } from './conversions/converted.ts'
import type { TrackerScope } from './scope.ts'
import { carriedBy, isMarked, isPageview, packedEvents } from './sessions/event-layouts.sql.ts'
import { gatheredSessions, inTrackerBuilds } from './sessions/sessions.sql.ts'

const address = { hostname: Type.String(), path: Type.String(), path_fidelity: oneOf(PATH_FIDELITIES) }

const PageCount = Type.Object({
  page_id: Type.String(),
  ...address,
  pageviews: count(),
  sessions: count(),
  entries: count(),
  exits: count(),
  /** Sessions with a conversion on the page; 0 without conversions. */
  converted: count(),
  total_pages: count(),
  total_pageviews: count(),
  total_entries: count(),
})

/**
 * The pages with the most pageviews, then by host and path, each with the totals of all pages. Sums have no names, so
 * names are joined only to pages that can be among the first `limit`, ties included.
 */
export const pageviewCounts = (scope: TrackerScope, limit: number, converted: ConvertedPlan | null) =>
  rows(PageCount)`
  WITH${counted(scope, converted)},
  -- The pages with the most pageviews, ties included, and the totals of all pages.
  top AS (
    SELECT page_id, sum(counted.pageviews) AS pageviews, sum(counted.sessions) AS sessions,
      sum(counted.entries) AS entries, sum(counted.exits) AS exits, sum(counted.converted) AS converted,
      count() OVER () AS total_pages, sum(sum(counted.pageviews)) OVER () AS total_pageviews,
      sum(sum(counted.entries)) OVER () AS total_entries
    FROM counted
    GROUP BY page_id
    ORDER BY pageviews DESC
    LIMIT ${uint(limit)} WITH TIES
  ),
  -- What the pages of the site are called.
  names AS (
    SELECT page_id, host, path, path_fidelity
    FROM spoor.pages FINAL
    WHERE site_id = ${uuid(scope.site_id)}
  )
  SELECT toString(top.page_id) AS page_id, names.host AS hostname, names.path AS path, toString(names.path_fidelity) AS path_fidelity,
    pageviews, sessions, entries, exits, converted, total_pages, total_pageviews, total_entries
  FROM names
  RIGHT JOIN top USING (page_id)
  ORDER BY pageviews DESC, hostname, path
  LIMIT ${uint(limit)}`

const PageviewSums = Type.Object({
  pages: count(),
  pageviews: count(),
  entries: count(),
  /** 64-bit ids as hex digits, ascending; empty if there are more than `max_pages` pages. */
  ids: Type.String(),
  /** 64-bit floating-point numbers, hex digits, in the order of `ids`. */
  page_pageviews: Type.String(),
  page_sessions: Type.String(),
  page_entries: Type.String(),
  page_exits: Type.String(),
  page_converted: Type.String(),
})

/** The counts of all pages, up to `max_pages`, as lists in one row, to be added to other such sums. */
export const pageviewSums = (scope: TrackerScope, converted: ConvertedPlan | null, max_pages: number) => {
  const hexOf = (value: Fragment) =>
    sql`arrayStringConcat(arrayMap(page -> hex(reinterpretAsFixedString(${value})), found))`
  return rows(PageviewSums)`
  WITH${counted(scope, converted)},
  -- The counts of each page.
  sums AS (
    SELECT page_id, sum(counted.pageviews) AS pageviews, sum(counted.sessions) AS sessions,
      sum(counted.entries) AS entries, sum(counted.exits) AS exits, sum(counted.converted) AS converted
    FROM counted
    GROUP BY page_id
  ),
  -- The same as lists.
  lists AS (
    SELECT count() AS all_pages, sum(sums.pageviews) AS all_pageviews, sum(sums.entries) AS all_entries,
      arraySort(page -> page.id, groupArray(${uint(max_pages + 1)})(CAST(
        (page_id, sums.pageviews, sums.sessions, sums.entries, sums.exits, sums.converted) AS
        Tuple(id UInt64, pageviews Float64, sessions Float64, entries Float64, exits Float64, converted Float64)))) AS listed,
      if(all_pages <= ${uint(max_pages)}, listed, []) AS found
    FROM sums
  )
  SELECT all_pages AS pages, all_pageviews AS pageviews, all_entries AS entries, ${hexOf(sql`page.id`)} AS ids,
    ${hexOf(sql`page.pageviews`)} AS page_pageviews, ${hexOf(sql`page.sessions`)} AS page_sessions,
    ${hexOf(sql`page.entries`)} AS page_entries, ${hexOf(sql`page.exits`)} AS page_exits,
    ${hexOf(sql`page.converted`)} AS page_converted
  FROM lists`
}

const PageName = Type.Object({ page_id: Type.String(), ...address })

/** The names of pages. */
export const namesOfVisitedPages = (site_id: string, page_ids: readonly string[]) => rows(PageName)`
  SELECT toString(page_id) AS page_id, host AS hostname, path, toString(path_fidelity) AS path_fidelity
  FROM spoor.pages FINAL
  WHERE site_id = ${uuid(site_id)} AND page_id IN ${list('UInt64', page_ids)}`

/** The part `counted` of a statement. */
const counted = (scope: TrackerScope, converted: ConvertedPlan | null): Fragment => sql`
  -- Partial counts of pages; a page may have several.
  counted AS (
    ${unionAll([
      scope.builds.length > 0 && closedDays(scope),
      ...(converted === null ? [] : convertedOnPages(converted).map(convertedAlone)),
      scope.fact_days.length > 0 && openDays(scope, converted?.facts ?? null),
    ])}
  )`

const closedDays = (scope: TrackerScope): Fragment => sql`
    SELECT page_id, pageviews, sessions, entries, exits, toUInt64(0) AS converted
    FROM spoor.tracker_page_daily
    WHERE ${inTrackerBuilds(scope)}`

const convertedAlone = (pages: Fragment): Fragment => sql`
    SELECT page_id, 0 AS pageviews, 0 AS sessions, 0 AS entries, 0 AS exits, converted
    FROM (${pages})`

/** A packed event has its page, and is marked if it is a conversion. */
const openDays = (scope: TrackerScope, conversions: FactBatch | null): Fragment => sql`
  WITH ${gatheredSessions(scope, packedEvents(sql`page_id`, conversions === null ? sql`0` : isMet(conversions)))},
  -- The pages of each session, in order, and those on which it converted.
  walks AS (
    SELECT ${pagesOf(isPageview)} AS viewed, viewed[1] AS entry, viewed[-1] AS leaving,
      ${conversions === null ? sql`emptyArrayUInt64()` : sql`arrayDistinct(${pagesOf(isMarked)})`} AS converted_on
    FROM sessions
  ),
  -- One row for each pageview, the nth of its page in the session, and one (nth 0) for each page of a conversion.
  views AS (
    SELECT page, nth, entry, leaving
    FROM walks
    ARRAY JOIN arrayConcat(viewed, converted_on) AS page,
      arrayConcat(arrayEnumerateUniq(viewed), arrayMap(page -> 0, converted_on)) AS nth
  )
  SELECT page AS page_id, countIf(nth > 0) AS pageviews, countIf(nth = 1) AS sessions,
    countIf(nth = 1 AND page = entry) AS entries, countIf(nth = 1 AND page = leaving) AS exits, countIf(nth = 0) AS converted
  FROM views
  GROUP BY page_id`

/** The pages of a session's events for which the condition holds, in order. */
const pagesOf = (isIncluded: (event: Fragment) => Fragment): Fragment =>
  sql`arrayMap(event -> ${carriedBy(sql`event`)}, arrayFilter(event -> ${isIncluded(sql`event`)}, session_events))`
