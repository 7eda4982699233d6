import type { BrandReport } from '../../../src/contract/account-api/index.ts'
import { type Engine, REPORT_INTERVALS } from '../../../src/contract/vocabulary.ts'
import { ChartPanel } from '../../charts/chart-panel.tsx'
import { RateCharts } from '../../charts/rates/rate-charts.tsx'
import { Segments } from '../../controls/segments.tsx'
import { runWords } from '../../evidence/brand-line.tsx'
import { useBrandSearch } from '../../read/brand-search.ts'
import { written } from '../../tables/csv.ts'
import { DataTable } from '../../tables/data-table.tsx'
import { ENGINE_WORDS } from '../../words/brand.ts'
import { instantText } from '../../words/days.ts'
import { visibleText } from '../../words/foreign-text.ts'
import { fullCount } from '../../words/numbers.ts'
import { evidenceOf } from './csv-evidence.ts'
import { largestOf, pointsOf } from './points.ts'
import { RATE_COLUMNS } from './rate-columns.tsx'
import { RateLegend } from './rate-legend.tsx'

const INTERVAL_WORDS = { day: 'day', week: 'week', month: 'month' } as const

/** The share of answers that name the brand, one small chart per engine, all with the same scale. */
export function RatePanel({ report, name }: { report: BrandReport; name: string }) {
  const by = report.meta.filters.interval
  const engines = [...new Set(report.series.flatMap(({ engine }) => (engine === null ? [] : [engine])))]
  const rows = report.series.filter(({ engine }) => engine !== null)
  if (rows.length === 0) return null
  const title = `Visibility by ${INTERVAL_WORDS[by]} and engine`
  return (
    <ChartPanel
      title={title}
      controls={
        <>
          <span className="text-small text-ink3 max-tablet:hidden">
            share of answers that name {visibleText(name)}, with 95 % interval
          </span>
          <IntervalPicker current={by} />
        </>
      }
      file_name="visibility"
      evidence={`${runWords(report.meta.runs).share} · as of ${instantText(report.meta.as_of)} UTC`}
      csv={() => written(evidenceOf(report.meta), RATE_COLUMNS, rows)}
      chart={<EngineCharts {...{ engines, report, title }} />}
      table={
        <DataTable
          caption="Visibility by engine and time, with intervals"
          columns={RATE_COLUMNS}
          rows={rows}
          rowKey={({ engine, from }) => `${engine} ${from}`}
          total={rows.length}
        />
      }
    />
  )
}

function EngineCharts({ engines, report, title }: { engines: readonly Engine[]; report: BrandReport; title: string }) {
  const rows = engines.map((engine) => {
    const total = report.by_engine.find((row) => row.engine === engine)
    return {
      key: engine,
      label: ENGINE_WORDS[engine] ?? engine,
      note: total && `n ${fullCount(total.metrics.visibility.denominator)}`,
      points: pointsOf(report.series.filter((row) => row.engine === engine)),
    }
  })
  return (
    <>
      <RateCharts
        name={`${title}. ${runWords(report.meta.runs).share}.`}
        rows_name="engines"
        rows={rows}
        largest={largestOf(report.series)}
      />
      <RateLegend rows={report.series} />
    </>
  )
}

function IntervalPicker({ current }: { current: (typeof REPORT_INTERVALS)[number] }) {
  const search = useBrandSearch()
  return (
    <Segments
      label="Interval"
      current={current}
      items={REPORT_INTERVALS.map((key) => ({
        key,
        label: INTERVAL_WORDS[key].replace(/^./, (first) => first.toUpperCase()),
        search: { ...search, interval: key } as never,
      }))}
    />
  )
}
