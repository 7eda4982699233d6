import { useQuery } from '@tanstack/react-query'
import type { BrandReport } from '../../../src/contract/account-api/index.ts'
import { BrandPage, useBrand } from '../../brand/brand-page.tsx'
import {
  BrandDates,
  BrandedFilter,
  CountryFilter,
  EngineFilter,
  QuestionFilter,
  useBrandFilter,
} from '../../brand/filters.tsx'
import { ExportMenu } from '../../controls/export-menu.tsx'
import { BrandLine } from '../../evidence/brand-line.tsx'
import { useBrandId, useBrandSearch } from '../../read/brand-search.ts'
import { readQuery } from '../../read/queries.ts'
import { Async, hasFailed, SkeletonBox, SkeletonRows } from '../../states/async.tsx'
import { Panel } from '../../states/panel.tsx'
import { PanelColumn, PanelColumns } from '../../states/report-page.tsx'
import { EnginesPanel } from './engines-panel.tsx'
import { NothingAnswered } from './nothing-answered.tsx'
import { RatePanel } from './rate-panel.tsx'
import { ReportFigures } from './report-figures.tsx'
import { RivalsPanel } from './rivals-panel.tsx'
import { reportInput } from './route.ts'
import { VoicePanel } from './voice-panel.tsx'

/** Do answers name us? */
export function BrandReportPage() {
  const brand = useBrandId()
  const report = useQuery(readQuery('getBrandReport', reportInput(brand, useBrandSearch())))
  return (
    <BrandPage
      title="Brand report"
      error={report.error}
      controls={
        <>
          <BrandDates />
          <Compare />
          <ExportMenu />
        </>
      }
      filters={
        <>
          <EngineFilter />
          <CountryFilter />
          <BrandedFilter />
          <QuestionFilter />
        </>
      }
    >
      <BrandLine report={report.data ?? null} has_failed={hasFailed(report)} />
      <Async query={report} skeleton={<ReportSkeleton />}>
        {(answer) => <ReportBlocks report={answer} />}
      </Async>
    </BrandPage>
  )
}

/** The blocks of a report that was read. */
export function ReportBlocks({ report }: { report: BrandReport }) {
  const name = useBrand()?.name ?? 'the brand'
  return (
    <div className="space-y-8">
      <NothingAnswered report={report} />
      <ReportFigures report={report} />
      <RatePanel report={report} name={name} />
      <PanelColumns>
        <PanelColumn>
          <EnginesPanel report={report} />
          <RivalsPanel report={report} name={name} />
        </PanelColumn>
        <PanelColumn>
          <VoicePanel report={report} name={name} />
        </PanelColumn>
      </PanelColumns>
    </div>
  )
}

function Compare() {
  const { compare } = useBrandSearch()
  const filter = useBrandFilter()
  const is_on = compare === 'previous'
  return (
    <button
      type="button"
      aria-pressed={is_on}
      className="control aria-pressed:bg-sunken"
      onClick={() => filter({ compare: is_on ? undefined : 'previous' })}
    >
      {is_on ? 'Compared with the previous period' : 'Compare with the previous period'}
    </button>
  )
}

const ReportSkeleton = () => (
  <div className="space-y-8">
    <div className="panel h-50" />
    <Panel title="Visibility by engine">
      <SkeletonBox height={190} />
    </Panel>
    <Panel title="Engines">
      <SkeletonRows rows={5} />
    </Panel>
  </div>
)
