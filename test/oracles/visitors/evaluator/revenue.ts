/**
 * What customers report of sales and refunds, and how browser and server agree on orders (rules 6, Revenue; decisions
 * 5).
 */
import { Ranked } from '../compare.ts'
import { type Ask, dayOf, type History, type Instant } from '../history.ts'
import type { RefusedGroup } from './days.ts'
import type { Stored } from './evidence.ts'
import { missedByAll } from './missed.ts'
import { envelope, type Reading, read } from './reading.ts'
import type { Rules } from './rules.ts'

export function revenue(history: History, as_of: Instant, ask: Ask, rules: Rules): unknown {
  const isMissed = (refused: RefusedGroup) => missedByAll(refused) || refused.group === 'revenue'
  const reading = read(history, as_of, ask, rules, isMissed)
  const is_known = reading.counted.size > 0
  const reports = reportsIn(reading)
  const classes = classesOf(reports, rules)
  // Sales without an order id are in a class, and nothing that they could be compared with; the specification leaves
  // open whether they are orders.
  const orders = new Set(reports.flatMap(({ revenue }) => (revenue.kind === 'sale' ? (revenue.order_id ?? []) : [])))
    .size
  return {
    meta: envelope(reading, 'analytics-revenue/v1'),
    basis: 'customer_reported',
    quality: qualityOf(reading),
    reported: is_known ? new Ranked(reportedOf(reports, rules), () => 'any order') : null,
    reconciliation: {
      compared_orders: is_known ? orders : null,
      total_orders: is_known ? orders : null,
      most_orders: 100_000,
      capped: false,
      classes: is_known
        ? new Ranked(
            CLASSES.map((name) => ({ class: name, orders: classes.get(name) ?? 0 })),
            () => 'any order',
          )
        : null,
    },
  }
}

export function qualityOf({ counted, days }: Pick<Reading, 'counted' | 'days'>): string {
  if (counted.size === 0) return 'unknown'
  return days.every(({ state }) => state === 'complete') ? 'exact' : 'observed_lower_bound'
}

type Report = Stored & { revenue: NonNullable<Stored['revenue']> }

/** What a server says is one by order id, kind and id over the whole window. */
function reportsIn({ evidence, counted, cutoff, rules }: Reading): Report[] {
  const seen = new Set<string>()
  return evidence.events.filter((event): event is Report => {
    if (event.revenue === null || event.at > cutoff || !counted.has(dayOf(event.at))) return false
    if (event.stream === 'browser' || !rules.server_sales_once) return true
    const key = JSON.stringify([event.revenue.order_id, event.revenue.kind, event.id])
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}

function reportedOf(reports: readonly Report[], rules: Rules) {
  const groups = Map.groupBy(
    reports,
    ({ stream, revenue: { currency } }) => `${rules.currencies_apart ? currency : 'EUR'} ${stream}`,
  )
  return [...groups].map(([key, group]) => {
    const [currency, provenance] = key.split(' ')
    const sumOf = (kind: 'sale' | 'refund') => {
      const ofKind = group.filter(({ revenue }) => revenue.kind === kind)
      return { count: ofKind.length, amount: ofKind.reduce((sum, { revenue }) => sum + revenue.amount_minor, 0) }
    }
    const sales = sumOf('sale')
    const refunds = sumOf('refund')
    const net = sales.amount - { subtracted: refunds.amount, added: -refunds.amount, ignored: 0 }[rules.refunds]
    return {
      currency,
      provenance,
      sales_count: sales.count,
      sales_amount_minor: sales.amount,
      refunds_count: refunds.count,
      refunds_amount_minor: refunds.amount,
      net_amount_minor: net,
      exact_amounts_minor: { sales: String(sales.amount), refunds: String(refunds.amount), net: String(net) },
    }
  })
}

const CLASSES = [
  'unkeyed',
  'duplicate',
  'currency_mismatch',
  'amount_mismatch',
  'matched',
  'browser_only',
  'server_only',
]

/**
 * One class for each order, the first that fits; a sale without an order id is an order of its own. Refunds change no
 * class.
 */
function classesOf(reports: readonly Report[], rules: Rules): Map<string, number> {
  const classes = new Map<string, number>()
  const count = (name: string) => void classes.set(name, (classes.get(name) ?? 0) + 1)
  const sales = reports.filter(({ revenue }) => revenue.kind === 'sale')
  const orders = Map.groupBy(sales, ({ revenue }) => revenue.order_id)
  for (const _ of orders.get(null) ?? []) count('unkeyed')
  for (const [order_id, reported] of orders) if (order_id !== null) count(classOf(reported, rules))
  return classes
}

function classOf(reported: readonly Report[], rules: Rules): string {
  const browser = reported.filter(({ stream }) => stream === 'browser')
  const server = reported.filter(({ stream }) => stream === 'server')
  const is_duplicate = browser.length > 1 || server.length > 1
  const [one] = browser
  const [other] = server
  if (is_duplicate && rules.duplicate_before_mismatch) return 'duplicate'
  if (one === undefined || other === undefined)
    return is_duplicate ? 'duplicate' : one === undefined ? 'server_only' : 'browser_only'
  if (one.revenue.currency !== other.revenue.currency) return 'currency_mismatch'
  if (one.revenue.amount_minor !== other.revenue.amount_minor) return 'amount_mismatch'
  return is_duplicate ? 'duplicate' : 'matched'
}
