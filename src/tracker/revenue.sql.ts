/** Revenue as it was reported, always straight from facts (rules 6, Revenue). */
import Type from 'typebox'
import { oneOf } from '#contract/fields.ts'
import { REVENUE_CLASSES, REVENUE_PROVENANCES } from '#contract/vocabulary.ts'
import { and, count, type Fragment, instant, list, rows, sql, uint, uuid } from '#evidence/sql.ts'

export interface RevenueScope {
  site_id: string
  /** UTC days. */
  days: readonly string[]
  /** Epoch milliseconds; later events do not count. */
  cutoff: number
}

/**
 * A server that sends a sale again after its id is known no more has not sold twice: of servers one report counts by order, kind and id,
 * the first of the window (rules 6). A browser's later report is an event of its own.
 */
const reports = ({ site_id, days, cutoff }: RevenueScope): Fragment => sql`
  FROM (
    SELECT stream, toString(currency) AS currency, revenue_kind, amount_minor, order_key
    FROM spoor.events FINAL
    WHERE ${and([
      sql`site_id = ${uuid(site_id)}`,
      sql`day IN ${list('Date', days)}`,
      sql`stream IN ('browser', 'server')`,
      sql`kind = 'revenue'`,
      sql`received_at <= ${instant(cutoff)}`,
    ])}
    ORDER BY seq
    LIMIT 1 BY stream, order_key, revenue_kind, id, if(stream = 'server', 0, seq)
  )`

/** `reported`: a currency of a provenance, its sums as decimal digits. `class`: orders of one class. `orders`: all that there are. */
const RevenueRow = Type.Object({
  kind: Type.Union([Type.Literal('reported'), Type.Literal('class'), Type.Literal('orders')]),
  currency: Type.String(),
  provenance: Type.Union([oneOf(REVENUE_PROVENANCES), Type.Literal('')]),
  class: Type.Union([oneOf(REVENUE_CLASSES), Type.Literal('')]),
  /** Sales, or orders. */
  events: count(),
  refunds: count(),
  sold: Type.String(),
  refunded: Type.String(),
})

/**
 * Everything in ONE statement (rules 3). Sums are wider than any number of 64 bits. Only sales are compared: a refund belongs to an order,
 * and does not change what became of it.
 */
export const revenueCounts = (scope: RevenueScope, most_orders: number) => rows(RevenueRow)`
  SELECT 'reported' AS kind, currency, toString(stream) AS provenance, '' AS class,
    countIf(revenue_kind = 'sale') AS events, countIf(revenue_kind = 'refund') AS refunds,
    toString(sumIf(toUInt128(amount_minor), revenue_kind = 'sale')) AS sold,
    toString(sumIf(toUInt128(amount_minor), revenue_kind = 'refund')) AS refunded
  ${reports(scope)}
  GROUP BY currency, stream
  UNION ALL
  SELECT if(grouping(class) = 1, 'orders', 'class'), '', '', if(grouping(class) = 1, '', class), if(grouping(class) = 1, any(total), count()), 0, '0', '0'
  FROM (
    SELECT
      multiIf(
        in_browser > 1 OR on_server > 1, 'duplicate',
        on_server = 0, 'browser_only',
        in_browser = 0, 'server_only',
        browser_sale.1 != server_sale.1, 'currency_mismatch',
        browser_sale.2 != server_sale.2, 'amount_mismatch',
        'matched'
      ) AS class,
      total
    FROM (
      SELECT
        countIf(stream = 'browser') AS in_browser, countIf(stream = 'server') AS on_server,
        anyIf((currency, amount_minor), stream = 'browser') AS browser_sale,
        anyIf((currency, amount_minor), stream = 'server') AS server_sale,
        count() OVER () AS total
      ${reports(scope)} WHERE revenue_kind = 'sale' AND order_key != 0
      GROUP BY order_key
      ORDER BY order_key
      LIMIT ${uint(most_orders)}
    )
  )
  GROUP BY GROUPING SETS ((class), ())
  UNION ALL
  SELECT 'class', '', '', 'unkeyed', count(), 0, '0', '0'
  ${reports(scope)} WHERE revenue_kind = 'sale' AND order_key = 0`
