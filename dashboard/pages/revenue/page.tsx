import { useQuery } from '@tanstack/react-query'
import type { AnalyticsRevenue } from '../../../src/contract/site-api/index.ts'
import { SHORT_WINDOWS, type ShortWindow } from '../../../src/contract/vocabulary.ts'
import { ReportExport } from '../../controls/report-export.tsx'
import { WindowPicker } from '../../controls/window-picker.tsx'
import { readQuery } from '../../read/queries.ts'
import { filterOf } from '../../read/search.ts'
import { useReportSearch, useSiteId } from '../../read/use-report.ts'
import { Async, SkeletonRows } from '../../states/async.tsx'
import { Panel, PanelBody } from '../../states/panel.tsx'
import { PanelColumn, PanelColumns } from '../../states/report-page.tsx'
import { TrackerPage } from '../../states/tracker-page.tsx'
import { NOT_VERIFIED } from '../../words/revenue.ts'
import { CurrencyPanel } from './currency-panel.tsx'
import { ReconciliationPanel } from './reconciliation-panel.tsx'

/** What was reported, by pages and by servers? */
export function RevenuePage() {
  const site = useSiteId()
  const window = filterOf(useReportSearch()).window as ShortWindow
  const query = useQuery(readQuery('getAnalyticsRevenue', { site, window }))
  return (
    <TrackerPage
      title="Revenue"
      meta={query.data?.meta}
      evidence_name={query.data?.quality === 'observed_lower_bound' ? 'Lower bound' : undefined}
      note={NOT_VERIFIED}
      controls={
        <>
          <WindowPicker allowed={SHORT_WINDOWS} />
          <ReportExport id="getAnalyticsRevenue" input={{ site, window }} />
        </>
      }
    >
      <Async
        query={query}
        skeleton={
          <Panel title="Revenue">
            <SkeletonRows rows={6} />
          </Panel>
        }
      >
        {(answer) => <RevenueReport answer={answer} />}
      </Async>
    </TrackerPage>
  )
}

export function RevenueReport({ answer }: { answer: AnalyticsRevenue }) {
  const currencies = [...new Set(answer.reported?.map(({ currency }) => currency))]
  return (
    <PanelColumns>
      <PanelColumn>
        {currencies.map((currency) => (
          <CurrencyPanel key={currency} currency={currency} answer={answer} />
        ))}
        {currencies.length === 0 && (
          <Panel title="Reported revenue">
            <PanelBody>
              <p className="text-ink2">
                {answer.reported === null
                  ? 'Reported revenue is unknown.'
                  : 'No sale and no refund was reported in the collected time.'}
              </p>
            </PanelBody>
          </Panel>
        )}
      </PanelColumn>
      <PanelColumn>
        <ReconciliationPanel reconciliation={answer.reconciliation} />
      </PanelColumn>
    </PanelColumns>
  )
}
