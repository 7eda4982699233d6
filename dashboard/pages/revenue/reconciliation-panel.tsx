import type { AnalyticsRevenue } from '../../../src/contract/site-api/index.ts'
import { Value } from '../../evidence/value.tsx'
import { Panel, PanelBody } from '../../states/panel.tsx'
import { fullCount, percent } from '../../words/numbers.ts'
import { REVENUE_CLASS_ORDER, REVENUE_CLASS_WORDS } from '../../words/revenue.ts'

/**
 * Compares the orders that pages and servers report; each order is in one class. Sales without an order id cannot be
 * compared, so they have no share.
 */
export function ReconciliationPanel({ reconciliation }: { reconciliation: AnalyticsRevenue['reconciliation'] }) {
  const { classes, compared_orders, total_orders, capped } = reconciliation
  const counts = new Map(classes?.map((row) => [row.class, row.orders]))
  return (
    <Panel
      title="Reconciliation"
      note={
        <>
          <Value value={total_orders} /> orders with an id
        </>
      }
    >
      <PanelBody>
        <ul>
          {REVENUE_CLASS_ORDER.map((one) => {
            const orders = counts.get(one) ?? null
            return (
              <li key={one} className="flex gap-6 py-3">
                <span className="mr-auto">{REVENUE_CLASS_WORDS[one]}</span>
                <Value value={orders} />
                <span className="w-29 text-right text-ink2">
                  {one !== 'unkeyed' && orders !== null && compared_orders !== null && compared_orders > 0 && (
                    <Value value={orders / compared_orders} format={percent} />
                  )}
                </span>
              </li>
            )
          })}
        </ul>
        {capped && compared_orders !== null && (
          <p className="mt-3 text-small text-ink2">
            Compared {fullCount(compared_orders)} orders; the others are in no class. Shares are of those compared.
          </p>
        )}
      </PanelBody>
    </Panel>
  )
}
