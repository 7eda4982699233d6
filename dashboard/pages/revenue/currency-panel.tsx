import type { AnalyticsRevenue } from '../../../src/contract/site-api/index.ts'
import { REVENUE_PROVENANCES } from '../../../src/contract/vocabulary.ts'
import { Value } from '../../evidence/value.tsx'
import { Panel } from '../../states/panel.tsx'
import { exactMoney, PROVENANCE_WORDS } from '../../words/revenue.ts'
import { VALUE_QUALITIES } from '../../words/tracker.ts'

type Reported = NonNullable<AnalyticsRevenue['reported']>[number]

const ROWS = [
  { key: 'sales', label: 'Sales', count: (row: Reported) => row.sales_count },
  { key: 'refunds', label: 'Refunds', count: (row: Reported) => row.refunds_count },
  { key: 'net', label: 'Net', count: () => null },
] as const

/** One currency: pages and servers beside each other. They may report the same orders, so they are never added. */
export function CurrencyPanel({ currency, answer }: { currency: string; answer: AnalyticsRevenue }) {
  const of_currency = answer.reported?.filter((row) => row.currency === currency) ?? []
  const quality = VALUE_QUALITIES[answer.quality]
  return (
    <Panel title={currency} note="never added: pages and servers may report the same orders">
      <div className="overflow-x-auto">
        <table className="w-full border-collapse">
          <caption className="sr-only">Reported revenue in {currency}</caption>
          <thead>
            <tr className="text-small text-ink3">
              <td className="sticky left-0 bg-panel px-8 pb-4 max-tablet:px-6" />
              {REVENUE_PROVENANCES.map((provenance) => (
                <th key={provenance} scope="col" className="px-8 pb-4 text-right font-normal max-tablet:px-4">
                  {PROVENANCE_WORDS[provenance]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {ROWS.map(({ key, label, count }) => (
              <tr key={key} className="border-t border-line">
                <th
                  scope="row"
                  className={`sticky left-0 bg-panel px-8 py-5 text-left whitespace-nowrap max-tablet:px-6 ${key === 'net' ? 'font-strong' : 'font-normal'}`}
                >
                  {label}
                </th>
                {REVENUE_PROVENANCES.map((provenance) => {
                  const row = of_currency.find((one) => one.provenance === provenance)
                  const number = row === undefined ? null : count(row)
                  return (
                    <td key={provenance} className="px-8 py-5 text-right max-tablet:px-4">
                      {row === undefined ? (
                        <span className="text-ink3">none reported</span>
                      ) : (
                        <>
                          <span className={key === 'net' ? 'font-strong' : ''}>
                            {quality === 'at_least' && key !== 'net' && (
                              <abbr title="at least" className="no-underline">
                                ≥{' '}
                              </abbr>
                            )}
                            {exactMoney(row.exact_amounts_minor[key], currency)}
                          </span>
                          {number !== null && (
                            <span className="block text-small text-ink2">
                              <Value value={number} quality={quality} /> {unitOf(key, number)}
                            </span>
                          )}
                        </>
                      )}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {quality === 'at_least' && (
        <p className="border-t border-line px-8 py-5 text-small text-ink2 max-tablet:px-6">
          Events of some days are missing. Net is of what was observed; it is neither a lower nor an upper bound.
        </p>
      )}
    </Panel>
  )
}

const unitOf = (key: string, number: number): string => {
  const unit = key === 'sales' ? 'sale' : 'refund'
  return number === 1 ? unit : `${unit}s`
}
