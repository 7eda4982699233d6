/** Counts reported revenue, always from facts (rules 6, Revenue). */
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

/** The engine's type of an amount with its currency. */
const MONEY = sql`Tuple(currency String, amount_minor UInt64)`

/**
 * A server may repeat a report after its id has been forgotten. So one report of servers counts per order, kind and id:
 * the first one of the window (rules 6). A later report of a browser is another event. TRICKY: reports are grouped,
 * because LIMIT BY would keep all rows in memory (test: "many reports are counted in little memory").
 */
const reports = ({ site_id, days, cutoff }: RevenueScope): Fragment => sql`
  -- Reports of sales and refunds, each once.
  reports AS (
    SELECT stream, order_key, revenue_kind, argMin((toString(currency), amount_minor)::${MONEY}, seq) AS money
    FROM spoor.events FINAL
    WHERE ${and([
      sql`site_id = ${uuid(site_id)}`,
      sql`day IN ${list('Date', days)}`,
      sql`stream IN ('browser', 'server')`,
      sql`kind = 'revenue'`,
      sql`received_at <= ${instant(cutoff)}`,
    ])}
    GROUP BY stream, order_key, revenue_kind, id, if(stream = 'server', 0, seq)
  )`

/**
 * Groups by currency and provenance, and by order, in one pass, because reading the facts takes the most time. Only
 * sales are compared: a refund does not change the class of its order.
 */
const groups = sql`
  -- Sums of each currency and provenance, and of each order that was sold.
  groups AS (
    SELECT
      grouping(order_key) = 0 AS is_order, order_key, money.currency AS of_currency, toString(stream) AS of_stream,
      countIf(revenue_kind = 'sale' AND stream = 'browser') AS in_browser,
      countIf(revenue_kind = 'sale' AND stream = 'server') AS on_server,
      anyIf(money, revenue_kind = 'sale' AND stream = 'browser') AS browser_sale,
      anyIf(money, revenue_kind = 'sale' AND stream = 'server') AS server_sale,
      countIf(revenue_kind = 'refund') AS refund_count,
      sumIf(toUInt128(money.amount_minor), revenue_kind = 'sale') AS sold,
      sumIf(toUInt128(money.amount_minor), revenue_kind = 'refund') AS refunded
    FROM reports
    GROUP BY GROUPING SETS ((money.currency, stream), (order_key))
    HAVING NOT is_order OR in_browser + on_server > 0
  )`

/** `reported`: the sums of one currency and provenance, decimal. `class`: the orders of one class. */
const RevenueRow = Type.Object({
  kind: Type.Union([Type.Literal('reported'), Type.Literal('class')]),
  currency: Type.String(),
  provenance: Type.Union([oneOf(REVENUE_PROVENANCES), Type.Literal('')]),
  class: Type.Union([oneOf(REVENUE_CLASSES), Type.Literal('')]),
  /** The number of sales, or of orders. */
  events: count(),
  refunds: count(),
  sold: Type.String(),
  refunded: Type.String(),
  /** All orders of the window with an order id, also those that are not compared; the same on every row. */
  total_orders: count(),
})

/** Sums and classes in ONE statement (rules 3). Sums may exceed 64 bits. */
export const revenueCounts = (scope: RevenueScope, most_orders: number) =>
  rows(RevenueRow)`
  WITH ${reports(scope)},${groups},
  -- The same, no more orders than are compared, with how many there are.
  limited AS (
    SELECT *, is_order AND order_key != 0 AS is_compared, countIf(is_compared) OVER () AS total
    FROM groups
    ORDER BY order_key
    LIMIT ${uint(most_orders)} BY is_compared, of_currency, of_stream
  ),
  -- The same as rows of the answer: what was reported, and what each order is classed as.
  classed AS (
    SELECT
      if(is_order, 'class', 'reported') AS kind,
      if(is_order, '', of_currency) AS currency,
      if(is_order, '', of_stream) AS provenance,
      multiIf(
        NOT is_order, '',
        NOT is_compared, 'unkeyed',
        in_browser > 1 OR on_server > 1, 'duplicate',
        on_server = 0, 'browser_only',
        in_browser = 0, 'server_only',
        browser_sale.currency != server_sale.currency, 'currency_mismatch',
        browser_sale.amount_minor != server_sale.amount_minor, 'amount_mismatch',
        'matched'
      ) AS class,
      if(is_compared, 1, in_browser + on_server) AS events,
      if(is_order, 0, refund_count) AS refunds, sold, refunded, total
    FROM limited
  )
  SELECT kind, currency, provenance, class, sum(events) AS events, sum(refunds) AS refunds,
    toString(sum(sold)) AS sold, toString(sum(refunded)) AS refunded, any(total) AS total_orders
  FROM classed
  GROUP BY kind, currency, provenance, class`
