/** Pages at which crawlers meet the rule: the statement that looks at everything (rules 8.1). */
import Type from 'typebox'
import { oneOf } from '#contract/fields.ts'
import { VANTAGES } from '#contract/vocabulary.ts'
import { count, list, rows, sql, uint } from '#evidence/sql.ts'
import { believed, takesPart } from './believed-agents.sql.ts'
import type { OutcomeScope } from './detection-scope.ts'
import { MIN_HARMFUL_REQUESTS, STATUS_HARMS } from './harms.ts'
import { countedOf, IS_HARMFUL, MS, outcomes } from './page-outcomes.sql.ts'

const HarmedPage = Type.Object({
  page_id: Type.String(),
  crawler_id: Type.String(),
  vantage: oneOf(VANTAGES),
  harm: oneOf(STATUS_HARMS),
  harmful: count(),
  observed: count(),
  is_login_asked: count(),
  rank: count(),
  first_ms: count(),
  last_ms: count(),
  first_day: Type.String(),
  last_day: Type.String(),
  total_units: count(),
})

export interface HarmedPagesInput {
  /** First day of the rule, `YYYY-MM-DD`. */
  from: string
  limit: number
  /** Only units that were harmed on one of these days; null: on any. */
  changed_days: readonly string[] | null
  /** Only pages of one of several parts of equal size. */
  part: { index: number; of: number }
}

/** Units of one page that meet the rule, the most harmed first, with how many there are. */
export const harmedPages = (of: OutcomeScope, { from, limit, changed_days, part }: HarmedPagesInput) => {
  const inPart = sql`status != 0 AND page_id % ${uint(part.of)} = ${uint(part.index)}`
  const onChangedDay = changed_days === null ? sql`1` : sql`day IN ${list('Date', changed_days)}`
  // A constant makes no part of the key of a group.
  const isEdge = of.edge_source_ids.length === 0 ? sql`0` : sql`source_id IN ${list('UUID', of.edge_source_ids)}`
  // Only who met harm on the changed days can have come to meet the rule.
  const ofChangedDay =
    changed_days === null
      ? sql``
      : sql`
          AND page_id IN (SELECT page_id ${countedOf(of, from)} AND ${inPart} AND ${onChangedDay} AND ${IS_HARMFUL})`
  return rows(HarmedPage)`
  WITH ${believed(of)},
  -- Pages where half of what some crawler met was harm of any kind: few, so that only they are looked at closely.
  -- Grouping millions of rows by a number takes half the time of grouping them by a name.
  suspects AS (
    SELECT DISTINCT page_id
    FROM (
      SELECT page_id
      FROM (
        SELECT page_id, agent_key, requests, first_at, ${isEdge} AS is_edge,
          ${IS_HARMFUL} AS is_harmful, is_harmful AND ${onChangedDay} AS is_news
        ${countedOf(of, from)} AND ${inPart}${ofChangedDay}
      ) AS counted
      INNER JOIN (SELECT agent_key, cityHash64(crawler_id) AS crawler_number, is_waiting FROM believed) AS numbered
        USING (agent_key)
      WHERE ${takesPart(of)}
      GROUP BY page_id, crawler_number, is_edge
      HAVING sumIf(requests, is_harmful) >= ${uint(MIN_HARMFUL_REQUESTS)} AND sumIf(requests, is_harmful) * 2 >= sum(requests)
        AND max(is_news)
    )
  ),
  -- Requests of crawlers to them, by what harm they met.
  met AS (
    SELECT page, crawler, seen_from, harm, sum(requests) AS harmful, min(identity_rank) AS weakest,
      min(status = 401) AS is_login_asked, min(first_at) AS began_at, max(last_at) AS ended_at,
      min(day) AS began_on, max(day) AS ended_on
    FROM (${outcomes(of, sql`${countedOf(of, from)} AND status != 0 AND page_id IN (SELECT page_id FROM suspects)`)}
    )
    GROUP BY page, crawler, seen_from, harm
  ),
  -- The same beside all observed requests of the unit.
  weighed AS (
    SELECT *, sum(harmful) OVER (PARTITION BY page, crawler, seen_from) AS observed
    FROM met
  )
  SELECT toString(page) AS page_id, crawler AS crawler_id, seen_from AS vantage, harm, harmful, observed, is_login_asked,
    weakest AS rank, ${MS(sql`began_at`)} AS first_ms, ${MS(sql`ended_at`)} AS last_ms, toString(began_on) AS first_day,
    toString(ended_on) AS last_day, count() OVER () AS total_units
  FROM weighed
  WHERE harm != '' AND harmful >= ${uint(MIN_HARMFUL_REQUESTS)} AND harmful * 2 >= observed
  ORDER BY harmful DESC, page_id, crawler_id, vantage, harm
  LIMIT ${uint(limit)}`
}
