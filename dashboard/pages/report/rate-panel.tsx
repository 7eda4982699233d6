import { useRef } from 'react'
import type { BrandReport } from '../../../src/contract/account-api/index.ts'
import { type Engine, REPORT_INTERVALS } from '../../../src/contract/vocabulary.ts'
import { ChartPanel } from '../../charts/chart-panel.tsx'
import { RateChart } from '../../charts/rate-chart.tsx'
import { useSmallHeight } from '../../charts/use-small-height.ts'
import { Segments } from '../../controls/segments.tsx'
import { runWords } from '../../evidence/brand-line.tsx'
import { Value } from '../../evidence/value.tsx'
import { useBrandSearch } from '../../read/brand-search.ts'
import { written } from '../../tables/csv.ts'
import { DataTable } from '../../tables/data-table.tsx'
import type { Column } from '../../tables/table-types.ts'
import { ENGINE_WORDS } from '../../words/brand.ts'
import { instantText, spanText } from '../../words/days.ts'
import { fullCount, interval, percent } from '../../words/numbers.ts'
import { visibleText } from '../../words/strangers-text.ts'
import { evidenceOf } from './csv-evidence.ts'
import { largestOf, pointsOf, type SeriesRow } from './points.ts'

const INTERVAL_WORDS = { day: 'day', week: 'week', month: 'month' } as const

/** The share of answers that name the brand, one small chart an engine, all with one scale. */
export function RatePanel({ report, name }: { report: BrandReport; name: string }) {
  const by = report.meta.filters.interval
  const engines = [...new Set(report.series.flatMap(({ engine }) => (engine === null ? [] : [engine])))]
  const rows = report.series.filter(({ engine }) => engine !== null)
  if (rows.length === 0) return null
  return (
    <ChartPanel
      title={`Visibility by ${INTERVAL_WORDS[by]} and engine`}
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
      csv={() => written(evidenceOf(report.meta), columns, rows)}
      chart={<EngineCharts engines={engines} report={report} />}
      table={
        <DataTable
          caption="Visibility by engine and time, with intervals"
          columns={columns}
          rows={rows}
          rowKey={({ engine, from }) => `${engine} ${from}`}
          total={rows.length}
        />
      }
    />
  )
}

function EngineCharts({ engines, report }: { engines: readonly Engine[]; report: BrandReport }) {
  const largest = largestOf(report.series)
  const list = useRef<HTMLUListElement>(null)
  const height = useSmallHeight(list)
  return (
    <>
      <ul
        ref={list}
        className={`grid grid-cols-1 gap-x-12 gap-y-8 ${engines.length > 4 ? 'tablet:grid-cols-3 wide:grid-cols-5' : engines.length === 4 ? 'tablet:grid-cols-2 wide:grid-cols-4' : 'tablet:grid-cols-3'}`}
      >
        {engines.map((engine) => {
          const rows = report.series.filter((row) => row.engine === engine)
          const total = report.by_engine.find((row) => row.engine === engine)
          return (
            <li key={engine} className="min-w-0">
              <p className="flex items-baseline justify-between gap-4 text-dense font-medium">
                {ENGINE_WORDS[engine] ?? engine}
                <span className="text-small font-normal text-ink3">
                  {total !== undefined && `n ${fullCount(total.metrics.visibility.denominator)}`}
                </span>
              </p>
              <RateChart
                name={`Visibility in ${ENGINE_WORDS[engine] ?? engine}`}
                points={pointsOf(rows)}
                largest={largest}
                height={height}
              />
            </li>
          )
        })}
      </ul>
      <RateLegend rows={report.series} />
    </>
  )
}

/** The forms that occur. */
function RateLegend({ rows }: { rows: readonly SeriesRow[] }) {
  const engines = new Set(rows.map(({ engine }) => engine))
  const has_break = [...engines].some((engine) =>
    pointsOf(rows.filter((row) => row.engine === engine)).some((point) => point.break != null),
  )
  return (
    <ul className="mt-5 flex flex-wrap gap-x-8 gap-y-2 text-small text-ink2">
      <li className="flex items-center gap-4">
        <svg aria-hidden="true" width="8" height="14">
          <rect x="1" width="6" height="14" fill="var(--color-series)" fillOpacity="0.3" />
          <circle cx="4" cy="7" r="3" fill="var(--color-series)" />
        </svg>
        rate and 95 % interval
      </li>
      <li className="flex items-center gap-4">
        <svg aria-hidden="true" width="10" height="14">
          <circle cx="5" cy="7" r="3.2" fill="var(--color-panel)" stroke="var(--color-series)" strokeWidth="1.4" />
        </svg>
        fewer than 10 answers, or so far
      </li>
      {has_break && (
        <li className="flex items-center gap-4">
          <svg aria-hidden="true" width="4" height="14">
            <path d="M2 0V14" stroke="var(--color-ink2)" strokeWidth="1.4" strokeDasharray="2 3" />
          </svg>
          model or surface changed: not one series
        </li>
      )}
      {rows.some(({ state }) => state === 'gap') && (
        <li className="flex items-center gap-4">
          <span aria-hidden="true" className="hatched h-5 w-8 rounded-tag border border-hatch" />
          no answered run: unknown, not zero
        </li>
      )}
    </ul>
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

const STATE_WORDS: Record<SeriesRow['state'], string> = {
  answered: 'answered',
  gap: 'no answered run',
  not_asked: 'not asked',
  so_far: 'so far',
}

const columns: Column<SeriesRow>[] = [
  {
    key: 'days',
    head: 'Dates',
    cell: ({ from, to }) => spanText(from, to),
    csv: [
      { name: 'from', value: ({ from }) => from },
      { name: 'to', value: ({ to }) => to },
    ],
  },
  {
    key: 'engine',
    head: 'Engine',
    phone: 'tag',
    cell: ({ engine }) => (engine === null ? 'All' : (ENGINE_WORDS[engine] ?? engine)),
    csv: { name: 'engine', value: ({ engine }) => engine },
  },
  {
    key: 'visibility',
    head: 'Visibility',
    is_number: true,
    phone: 'value',
    cell: ({ metrics: { visibility } }) => <Value value={visibility.value} format={percent} />,
    csv: { name: 'visibility', value: ({ metrics }) => metrics.visibility.value },
  },
  {
    key: 'interval',
    head: '95 % interval',
    is_number: true,
    csv: [
      { name: 'visibility_low', value: ({ metrics }) => metrics.visibility.low },
      { name: 'visibility_high', value: ({ metrics }) => metrics.visibility.high },
    ],
    cell: ({ metrics: { visibility } }) =>
      visibility.low === null || visibility.high === null ? '' : interval(visibility.low, visibility.high),
  },
  {
    key: 'n',
    head: 'Naming it',
    is_number: true,
    cell: ({ metrics: { visibility } }) => `${fullCount(visibility.numerator)} of ${fullCount(visibility.denominator)}`,
    csv: { name: 'numerator', value: ({ metrics }) => metrics.visibility.numerator },
  },
  {
    key: 'denominator',
    head: 'Answers',
    is_number: true,
    phone: 'hidden',
    cell: ({ runs }) => <Value value={runs.answered} />,
    csv: { name: 'denominator', value: ({ metrics }) => metrics.visibility.denominator },
  },
  {
    key: 'evidence',
    head: 'Evidence',
    phone: 'bar',
    cell: ({ state }) => STATE_WORDS[state] ?? state,
    csv: { name: 'state', value: ({ state }) => state },
  },
]
