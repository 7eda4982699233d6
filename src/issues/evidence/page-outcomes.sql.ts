/** Outcomes of crawlers' requests by page: the statements of detection (rules 8.1). */
import Type, { type Static } from 'typebox'
import { oneOf } from '#contract/fields.ts'
import { VANTAGES } from '#contract/vocabulary.ts'
import { inCountedBuilds, inFactDays, labelsOfVersion } from '#crawlers/scope.sql.ts'
import { count, day, type Fragment, instant, list, rows, sql, tuples, uint, uuid } from '#evidence/sql.ts'
import { MIN_HARMFUL_REQUESTS } from '../harms.ts'
import type { DayOfBuild } from './detection-days.ts'
import type { OutcomeScope } from './detection-scope.ts'
import { countsNow, isPartlyWaiting } from './eligible-agents.sql.ts'
import { HARM } from './harm-of-response.sql.ts'

/** A column's instant as epoch milliseconds. */
export const epochMs = (column: Fragment) => sql`toUnixTimestamp64Milli(${column})`

/** The counted GET and HEAD requests since a day, as rows of the roll-up. */
export const fromCountedRollUp = ({ scope }: OutcomeScope, from: string): Fragment => sql`
    FROM spoor.page_outcomes_daily
    WHERE ${inCountedBuilds(scope)} AND day >= ${day(from)} AND method_class IN ('get', 'head')
      AND first_at <= ${instant(scope.as_of)}`

/**
 * Outcomes of the requests of eligible agents. No alias has the name of a column, because in this engine an alias hides
 * the column.
 */
export const selectOutcomes = (detection: OutcomeScope, from: Fragment): Fragment => sql`
    SELECT page_id AS page, crawler_id AS crawler, rank AS identity_rank, ${vantageOf(detection)} AS seen_from, ${HARM} AS harm,
      ifNull(edge_action IN ('block', 'challenge'), 0) AS by_edge, status, requests, first_at, last_at, day,
      ${isPartlyWaiting(detection)} AS is_partly_waiting
    FROM (
      SELECT page_id, agent_key, source_id, status, method_class, edge_action, requests, first_at, last_at, day
      ${from}
    ) AS counted
    INNER JOIN eligible USING (agent_key)
    WHERE ${countsNow(detection)}`

const vantageOf = ({ edge_source_ids }: OutcomeScope): Fragment =>
  sql`if(source_id IN ${list('UUID', edge_source_ids)}, 'edge', 'origin')`

const OutcomeRow = Type.Object({
  page_id: Type.String(),
  crawler_id: Type.String(),
  vantage: oneOf(VANTAGES),
  day: Type.String(),
  harm: Type.String(),
  status: count(),
  /** 1: the source says that the edge blocked or challenged it. */
  by_edge: count(),
  rank: count(),
  requests: count(),
  first_ms: count(),
  last_ms: count(),
})

/** Equal outcomes on one day, or at one instant. */
export type PageOutcome = Static<typeof OutcomeRow>

const DayOutcomeRow = Type.Object({
  ...OutcomeRow.properties,
  /** 1: some of these requests do not count yet. */
  is_partly_waiting: count(),
})

const SUMS = sql`
  SELECT toString(page) AS page_id, crawler AS crawler_id, seen_from AS vantage, toString(day) AS day, harm, status, by_edge,
    identity_rank AS rank, sum(requests) AS requests, ${epochMs(sql`min(first_at)`)} AS first_ms, ${epochMs(sql`max(last_at)`)} AS last_ms`
const BY_OUTCOME = sql`
  GROUP BY page, crawler, seen_from, day, harm, status, by_edge, identity_rank
  ORDER BY page_id, crawler_id, vantage, day, harm, status, by_edge, rank`

/** Observed responses to eligible agents at these pages on these days (at least one, ascending), by outcome. */
export const pageOutcomes = (detection: OutcomeScope, page_ids: readonly string[], days: readonly DayOfBuild[]) => {
  const on_days = { ...detection, scope: { ...detection.scope, builds: [...days] } }
  return rows(DayOutcomeRow)`
  WITH ${detection.eligible}
  ${SUMS}, max(is_partly_waiting) AS is_partly_waiting
  FROM (${selectOutcomes(detection, sql`${fromCountedRollUp(on_days, (days[0] as DayOfBuild).day)} AND status != 0 AND page_id IN ${list('UInt64', page_ids)}`)}
  )${BY_OUTCOME}`
}

/**
 * The most instants that are distinguished of a crawler's requests to a page on a day; if there are more, spans of this
 * length. A success gets the instant of the first request of its span, so that it never appears to follow harm that it
 * preceded.
 */
const MAX_INSTANTS = 5_000
const SPAN_MS = 20_000

/** The part `facts`: facts of these pages with the columns of the roll-up. Facts of an hour have its first instant. */
const factsOf = (detection: OutcomeScope, page_ids: readonly string[]): Fragment => sql`
  -- Facts in columns of the roll-up.
  facts AS (
    SELECT page_id, agent_key, source_id, status, if(method = 'GET', 'get', 'head') AS method_class, edge_action, requests,
      at AS first_at, at AS last_at, day
    FROM spoor.requests FINAL
    -- FINAL compares all facts that it is given: here those that some delivery has for these pages.
    PREWHERE event IN (SELECT event FROM spoor.requests WHERE ${inFactDays(detection.scope)} AND page_id IN ${list('UInt64', page_ids)})
    WHERE ${inFactDays(detection.scope)} AND page_id IN ${list('UInt64', page_ids)} AND status != 0 AND method IN ('GET', 'HEAD')
  )`

/** The sums of `pageOutcomes` from facts, of the requests that count already. */
export const outcomesOfFacts = (detection: OutcomeScope, page_ids: readonly string[]) => rows(OutcomeRow)`
  WITH ${detection.eligible},
  ${factsOf(detection, page_ids)}
  ${SUMS}
  FROM (${selectOutcomes(detection, sql`FROM facts`)}
  )${BY_OUTCOME}`

/** The outcomes of `pageOutcomes` from facts, by instant. */
export const exactOutcomes = (detection: OutcomeScope, page_ids: readonly string[]) => rows(OutcomeRow)`
  WITH ${detection.eligible},
  ${factsOf(detection, page_ids)}
  SELECT toString(page) AS page_id, crawler AS crawler_id, seen_from AS vantage, toString(on_day) AS day, harm, status, by_edge,
    identity_rank AS rank, sum(counted) AS requests, min(at_ms) AS first_ms, if(harm = '', first_ms, max(at_ms)) AS last_ms
  FROM (
    SELECT page, crawler, seen_from, day AS on_day, harm, status, by_edge, identity_rank, sum(requests) AS counted, ${epochMs(sql`first_at`)} AS at_ms,
      count() OVER (PARTITION BY page, crawler, on_day) AS instants
    FROM (${selectOutcomes(detection, sql`FROM facts`)}
    )
    GROUP BY page, crawler, seen_from, on_day, harm, status, by_edge, identity_rank, first_at
  )
  GROUP BY page, crawler, seen_from, on_day, harm, status, by_edge, identity_rank,
    if(instants > ${uint(MAX_INSTANTS)}, intDiv(at_ms, ${uint(SPAN_MS)}), at_ms)
  ORDER BY page_id, crawler_id, first_ms, vantage, harm, status, by_edge, rank`

const PriorSuccess = Type.Object({
  page_id: Type.String(),
  day: Type.String(),
  /** Requests with 2xx except 202, or with 304: the path is open. */
  open: count(),
  /** Requests with 2xx: the page exists. */
  successes: count(),
  first_ms: count(),
  last_ms: count(),
})

/** A 202 does not show that a page is open, because challenges use it (also rules 8.2). */
const IS_SUCCESS = sql`(status BETWEEN 200 AND 299 OR status = 304) AND status != 202
    AND NOT ifNull(edge_action IN ('block', 'challenge'), 0)`

/** Responses of pages to eligible agents, by day. */
export const priorSuccesses = (detection: OutcomeScope, page_ids: readonly string[], from: string) => rows(
  PriorSuccess,
)`
  WITH ${detection.eligible}
  SELECT toString(page) AS page_id, toString(day) AS day, sum(requests) AS open,
    sumIf(requests, status != 304) AS successes, ${epochMs(sql`min(first_at)`)} AS first_ms, ${epochMs(sql`max(last_at)`)} AS last_ms
  FROM (${selectOutcomes(detection, sql`${fromCountedRollUp(detection, from)} AND page_id IN ${list('UInt64', page_ids)} AND ${IS_SUCCESS}`)}
  )
  GROUP BY page, day
  ORDER BY page_id, day`

const PageName = Type.Object({ page_id: Type.String(), host: Type.String(), path: Type.String() })

/** Host and path of pages. */
export const namesOfPages = (site_id: string, page_ids: readonly string[]) => rows(PageName)`
  SELECT toString(page) AS page_id, any(host) AS host, any(path) AS path
  FROM (SELECT page_id AS page, host, path FROM spoor.pages WHERE site_id = ${uuid(site_id)} AND page_id IN ${list('UInt64', page_ids)})
  GROUP BY page
  ORDER BY page_id`

const Pageviews = Type.Object({ page_id: Type.String(), day: Type.String(), pageviews: count() })

/** Visitors' pageviews of pages on closed days. */
export const priorPageviews = (
  site_id: string,
  builds: readonly { day: string; build: number }[],
  page_ids: readonly string[],
) => rows(Pageviews)`
  SELECT toString(page) AS page_id, toString(on_day) AS day, sum(views) AS pageviews
  FROM (
    SELECT page_id AS page, day AS on_day, pageviews AS views
    FROM spoor.tracker_page_daily
    WHERE site_id = ${uuid(site_id)} AND page_id IN ${list('UInt64', page_ids)}
    AND (day, build) IN ${tuples(
      'Tuple(Date, UInt64)',
      builds.map((row) => [row.day, String(row.build)]),
    )}
  )
  GROUP BY page, on_day
  ORDER BY page_id, day`

const Impostors = Type.Object({
  page_id: Type.String(),
  crawler_id: Type.String(),
  requests: count(),
  first_day: Type.String(),
  last_day: Type.String(),
})

/** Pages that refused impostors and no crawler, the most refused first. */
export const impostorRefusals = (detection: OutcomeScope, from: string, limit: number) => rows(Impostors)`
  WITH labelled AS (
    SELECT agent_key, crawler_id, identity
    FROM (${labelsOfVersion(detection.scope)}
    )
  )
  SELECT toString(page) AS page_id, crawler_id, sumIf(refusals, identity = 'unknown') AS requests,
    toString(minIf(on_day, identity = 'unknown')) AS first_day, toString(maxIf(on_day, identity = 'unknown')) AS last_day
  FROM (
    SELECT page_id AS page, agent_key, requests AS refusals, day AS on_day
    ${fromCountedRollUp(detection, from)} AND ${HARM} = 'refused'
  ) AS refused
  INNER JOIN labelled USING (agent_key)
  GROUP BY page, crawler_id
  HAVING requests >= ${uint(MIN_HARMFUL_REQUESTS)} AND countIf(identity != 'unknown') = 0
  ORDER BY requests DESC, page_id, crawler_id
  LIMIT ${uint(limit)}`

const SourceId = Type.Object({ source_id: Type.String() })

/** Sources whose records contain actions of an edge: they observe at the edge. */
export const sourcesWithEdgeActions = (detection: OutcomeScope, source_ids: readonly string[], from: string) => rows(
  SourceId,
)`
  SELECT toString(source) AS source_id
  FROM (
    SELECT DISTINCT source_id AS source
    ${fromCountedRollUp(detection, from)} AND source_id IN ${list('UUID', source_ids)} AND edge_action IS NOT NULL
  )
  ORDER BY source_id`
