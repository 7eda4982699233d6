/** Revenue as the customer reported it, browser and server beside each other (rules 6). */
import Type from 'typebox'
import { Count, oneOf, orNull } from '../fields.ts'
import { defineSiteOperation, type InputOf, type OutputOf } from '../operation.ts'
import { analyticsRead, format, shortWindow } from '../parameters.ts'
import { envelopeFields } from '../tracker-meta.ts'
import { COUNT_QUALITIES, REVENUE_CLASSES, REVENUE_PROVENANCES, SHORT_WINDOWS } from '../vocabulary.ts'

/** Most orders that are compared; more say so. */
export const MAX_ORDERS = 100_000

/** A sum of minor units. Past 2^53-1 JSON readers round: then it is null here, and whole in `exact_amounts_minor`. */
const Amount = Type.Union(
  [Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }), Type.Null()],
  { description: 'Integer minor units; null only past 2^53-1, where exact_amounts_minor has it.' },
)
const Digits = Type.String({ pattern: '^-?\\d+$' })

export const ReportedRevenue = Type.Object(
  {
    currency: Type.String({ pattern: '^[A-Z]{3}$' }),
    provenance: oneOf(REVENUE_PROVENANCES),
    sales_count: Count,
    sales_amount_minor: Amount,
    refunds_count: Count,
    refunds_amount_minor: Amount,
    net_amount_minor: Amount,
    exact_amounts_minor: Type.Object(
      { sales: Digits, refunds: Digits, net: Digits },
      { description: 'Decimal digits.' },
    ),
  },
  { title: 'ReportedRevenue' },
)

export const getAnalyticsRevenue = defineSiteOperation({
  id: 'getAnalyticsRevenue',
  ...analyticsRead,
  path: '/v1/sites/{site}/revenue',
  summary: 'Customer-reported revenue by currency; not payment-provider verification',
  query: Type.Object({ window: shortWindow, format }),
  output: Type.Object(
    {
      meta: Type.Object(envelopeFields('analytics-revenue/v1', 'revenue/v1', SHORT_WINDOWS)),
      basis: Type.Literal('customer_reported', { description: 'Not payment-provider verification.' }),
      quality: oneOf(COUNT_QUALITIES),
      reported: Type.Union([Type.Array(ReportedRevenue), Type.Null()], {
        description: 'One row for each currency and provenance; never converted, never to be summed across either.',
      }),
      reconciliation: Type.Object(
        {
          compared_orders: orNull(Count),
          total_orders: orNull(Count),
          most_orders: Type.Literal(MAX_ORDERS),
          capped: Type.Boolean({ description: 'True when there are more orders than are compared.' }),
          classes: Type.Union(
            [
              Type.Array(Type.Object({ class: oneOf(REVENUE_CLASSES), orders: Count }), { minItems: 7, maxItems: 7 }),
              Type.Null(),
            ],
            { description: 'Each order in one class; a sale without an order id is an order of its own, unkeyed.' },
          ),
        },
        { title: 'RevenueReconciliation' },
      ),
    },
    { title: 'AnalyticsRevenue' },
  ),
  window_too_long: 400,
  unavailable_title: 'analytics revenue unavailable',
  csv: {
    header: 'record_type,meta_json,reconciliation_json,reported_json',
    records: ['meta', 'reconciliation', 'reported'],
  },
  mcp: { tool: 'get_revenue' },
})
export type AnalyticsRevenue = OutputOf<typeof getAnalyticsRevenue>
export type AnalyticsRevenueInput = InputOf<typeof getAnalyticsRevenue>
