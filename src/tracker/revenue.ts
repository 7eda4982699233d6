import { compareText } from '#compare-text.ts'
import type { AnalyticsRevenue, AnalyticsRevenueInput } from '#contract/site-api/index.ts'
import { MAX_ORDERS } from '#contract/site-api/revenue.ts'
import { REVENUE_CLASSES } from '#contract/vocabulary.ts'
import type { Row } from '#evidence/sql.ts'
import type { EvidenceStore, StatementLimits } from '#evidence/store.ts'
import type { TrackerContext } from './context.ts'
import { envelope } from './coverage/envelope.ts'
import { EVENTS_REFUSED, missesRevenue } from './coverage/missing-events.ts'
import { type OpenedReading, openTrackerReading } from './coverage/open-reading.ts'
import { withEvidence } from './coverage/with-evidence.ts'
import { type RevenueScope, revenueCounts } from './revenue.sql.ts'
import { daysOf } from './scope.ts'

type Reported = NonNullable<AnalyticsRevenue['reported']>[number]
type Classes = NonNullable<AnalyticsRevenue['reconciliation']['classes']>
type RevenueRow = Row<ReturnType<typeof revenueCounts>>

export interface RevenueCount {
  reported: Reported[]
  classes: Classes
  compared_orders: number
  total_orders: number
}

/** Revenue as browsers and servers reported it, by currency, and how far they agree; unverified (rules 6, Revenue). */
export async function readRevenue(
  ctx: TrackerContext,
  { window }: Pick<AnalyticsRevenueInput, 'window'>,
): Promise<AnalyticsRevenue> {
  const reading = await openTrackerReading(ctx, { window, reader: 'revenue' })
  const { scope } = reading
  const of = { site_id: ctx.site.id, days: daysOf(scope), cutoff: scope.cutoff }
  const counted = await withEvidence(ctx, reading, async (evidence, limits) =>
    reading.has_evidence ? countRevenue(evidence, of, MAX_ORDERS, limits) : null,
  )
  return {
    meta: envelope(reading, {
      contract_version: 'analytics-revenue/v1',
      evaluator_version: 'revenue/v1',
      preset: window,
      limitations: missesRevenue(reading) ? [EVENTS_REFUSED] : [],
    }),
    basis: 'customer_reported',
    quality: qualityOf(reading),
    reported: counted?.reported ?? null,
    reconciliation: {
      compared_orders: counted?.compared_orders ?? null,
      total_orders: counted?.total_orders ?? null,
      most_orders: MAX_ORDERS,
      capped: counted !== null && counted.total_orders > counted.compared_orders,
      classes: counted?.classes ?? null,
    },
  }
}

function qualityOf(reading: OpenedReading): AnalyticsRevenue['quality'] {
  if (!reading.has_evidence) return 'unknown'
  return reading.is_whole && !missesRevenue(reading) ? 'exact' : 'observed_lower_bound'
}

/**
 * Sums and classes of one window. Of more than `most_orders` orders, those with the lowest keys count: a random sample.
 */
export async function countRevenue(
  evidence: EvidenceStore,
  scope: RevenueScope,
  most_orders: number,
  limits?: StatementLimits,
): Promise<RevenueCount> {
  const rows = await evidence.all(revenueCounts(scope, most_orders), limits)
  const classes = REVENUE_CLASSES.map((name) => ({
    class: name,
    orders: sum(rows.filter((row) => row.kind === 'class' && row.class === name)),
  }))
  const keyed = classes.filter((row) => row.class !== 'unkeyed')
  return {
    reported: rows
      .filter((row) => row.kind === 'reported')
      .map(reportedRow)
      .sort(inOrder),
    classes,
    compared_orders: keyed.reduce((all, { orders }) => all + orders, 0),
    total_orders: rows.reduce((most, { total_orders }) => Math.max(most, total_orders), 0),
  }
}

const sum = (rows: readonly RevenueRow[]): number => rows.reduce((all, { events }) => all + events, 0)

function reportedRow(row: RevenueRow): Reported {
  const sales = BigInt(row.sold)
  const refunds = BigInt(row.refunded)
  const net = sales - refunds
  return {
    currency: row.currency,
    provenance: row.provenance === 'server' ? 'server' : 'browser',
    sales_count: row.events,
    sales_amount_minor: exactly(sales),
    refunds_count: row.refunds,
    refunds_amount_minor: exactly(refunds),
    net_amount_minor: exactly(net),
    exact_amounts_minor: { sales: String(sales), refunds: String(refunds), net: String(net) },
  }
}

/** Null for an amount that a JSON reader would round. */
const exactly = (amount: bigint): number | null => (Number.isSafeInteger(Number(amount)) ? Number(amount) : null)

const inOrder = (a: Reported, b: Reported): number =>
  compareText(a.currency, b.currency) || compareText(a.provenance, b.provenance)
