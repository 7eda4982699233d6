/**
 * Requests of eligible agents to each page on one day, by crawler and harm: the one statement that reads every page.
 */
import Type, { type Static } from 'typebox'
import { list, rows, sql, uint, uint64 } from '#evidence/sql.ts'
import type { DayOfBuild } from '../evidence/detection-days.ts'
import type { OutcomeScope } from '../evidence/detection-scope.ts'
import { countsNow } from '../evidence/eligible-agents.sql.ts'
import { HARM_NUMBER } from '../evidence/harm-of-response.sql.ts'
import { fromCountedRollUp } from '../evidence/page-outcomes.sql.ts'
import { MIN_HARMFUL_REQUESTS } from '../harms.ts'

const Numbers = Type.Array(Type.Number())

/** Columns of equal length, ascending by page. */
const HarmColumns = Type.Object({
  /** Upper and lower 32 bits of the page's id. */
  page_high: Numbers,
  page_low: Numbers,
  /**
   * 8 × unit + harm. The unit is 2 × the position of the crawler in `crawlers`, from 1 on, and 1 more at the edge. The
   * harm is its position in `STATUS_HARMS`, from 1 on, or 0.
   */
  unit_harm: Numbers,
  /** Requests whose response was observed. */
  requests: Numbers,
})
export type HarmColumns = Static<typeof HarmColumns>

/** Ids of pages from the first to the last. */
export interface PageRange {
  first: bigint
  last: bigint
}

export interface DayHarmsInput {
  crawlers: readonly string[]
  pages: PageRange
  limit: number
  /** Only entries with harm. */
  is_harm_alone: boolean
}

/**
 * An entry for each page, unit and harm. Entries without harm need as many requests as the rule asks for, because fewer
 * seldom decide anything.
 */
export const dayHarms = (
  detection: OutcomeScope,
  { day, build }: DayOfBuild,
  { crawlers, pages, limit, is_harm_alone }: DayHarmsInput,
) => {
  const on_day = { ...detection, scope: { ...detection.scope, builds: [{ day, build }] } }
  // Without edge sources a constant, which the engine leaves out of the key of the groups.
  const isEdge =
    detection.edge_source_ids.length === 0 ? sql`0` : sql`source_id IN ${list('UUID', detection.edge_source_ids)}`
  return rows(HarmColumns)`
  WITH ${detection.eligible},
  -- Looking up each agent's number in a constant takes half the time of a join.
  (SELECT CAST(
      (groupArray(agent_key), groupArray(toUInt32(indexOf(${list('String', crawlers)}, crawler_id) * 2 + is_waiting))),
      'Tuple(agents Array(UInt64), units Array(UInt32))'
    ) FROM eligible) AS known
  SELECT groupArray(toUInt32(bitShiftRight(page, 32))) AS page_high, groupArray(toUInt32(page)) AS page_low,
    groupArray(number) AS unit_harm, groupArray(toFloat64(met)) AS requests
  FROM (
    SELECT page, number, sum(requests) AS met
    FROM (
      SELECT page_id AS page, transform(agent_key, known.agents, known.units, toUInt32(0)) AS agent, agent % 2 AS is_waiting,
        toUInt32((agent - is_waiting + (${isEdge})) * 8 + ${HARM_NUMBER}) AS number, requests, first_at
      ${fromCountedRollUp(on_day, day)} AND status != 0 AND page_id BETWEEN ${uint64(pages.first)} AND ${uint64(pages.last)}
    )
    WHERE agent >= 2 AND ${countsNow(detection)}${is_harm_alone ? sql` AND bitAnd(number, 7) != 0` : sql``}
    GROUP BY page, number
    HAVING bitAnd(number, 7) != 0 OR met >= ${uint(MIN_HARMFUL_REQUESTS)}
    ORDER BY page
    LIMIT ${uint(limit)}
  )`
}
