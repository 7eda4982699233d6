import { useRef } from 'react'
import { spanText, weekdayText } from '../../words/days.ts'
import { ChartGroup } from '../chart-group.tsx'
import { ChartTooltip, TooltipRow, TooltipTitle } from '../chart-tooltip.tsx'
import { columnAt } from '../marks.ts'
import { useSmallHeight } from '../use-small-height.ts'
import { useWidth } from '../use-width.ts'
import { RATE_LEFT, RatePlot } from './rate-plot.tsx'
import { pointNotes, pointSentence, type RatePoint, rateText } from './rate-points.ts'

export interface RateRow {
  key: string
  label: string
  /** Right of the label, such as "n 1,190". */
  note?: string | undefined
  /** The same number as in every other chart. */
  points: readonly RatePoint[]
}

interface RateChartsProps {
  /** Heading of the panel and one sentence about the whole. */
  name: string
  /** What a chart stands for: "engines". */
  rows_name: string
  rows: readonly RateRow[]
  /** The top of the scale that all share; from 0 to 1. */
  largest: number
}

/** One small chart of rates per row, all with the same scale. */
export function RateCharts({ name, rows_name, rows, largest }: RateChartsProps) {
  const list = useRef<HTMLUListElement>(null)
  const first = useRef<HTMLDivElement>(null)
  const height = useSmallHeight(list)
  const width = useWidth(first, 240)
  const count = Math.max(0, ...rows.map(({ points }) => points.length))
  const slot_width = (width - RATE_LEFT) / Math.max(1, count)
  return (
    <ChartGroup
      name={name}
      hint={`Left and right read the points, up and down the ${rows_name}.`}
      shape={{ columns: count, rows: () => rows.length, up: -1 }}
      reading={({ column, row }) => {
        const { label = '', points } = rows[row ?? 0] ?? {}
        const point = points?.[column]
        return point === undefined ? `${label} unknown` : pointSentence(label, point)
      }}
      markAt={({ target, clientX }) => {
        const chart = target.closest<HTMLElement>('[data-chart]')
        const column = columnAt(clientX, chart, { left: RATE_LEFT, slot_width, count })
        return chart === null || column === null ? null : { column, row: Number(chart.dataset.chart) }
      }}
    >
      {(active) => (
        <ul ref={list} className={`grid grid-cols-1 gap-x-12 gap-y-8 ${columnsFor(rows.length)}`}>
          {rows.map(({ key, label, note, points }, index) => {
            const column = active !== null && active.row === index ? active.column : null
            const point = column === null ? undefined : points[column]
            return (
              // The first item is measured, so it keeps its key when it shows another row.
              <li key={index === 0 ? '' : key} className="min-w-0">
                <p className="flex items-baseline justify-between gap-4 text-dense font-medium">
                  {label}
                  <span className="text-small font-normal text-ink3">{note}</span>
                </p>
                <div ref={index === 0 ? first : undefined} data-chart={index} className="relative">
                  <RatePlot {...{ points, largest, width, height }} active={column} />
                  {column !== null && point !== undefined && (
                    <ChartTooltip middle={RATE_LEFT + (column + 0.5) * slot_width} width={width}>
                      <PointTooltip label={label} point={point} />
                    </ChartTooltip>
                  )}
                </div>
              </li>
            )
          })}
        </ul>
      )}
    </ChartGroup>
  )
}

function columnsFor(charts: number): string {
  if (charts > 4) return 'tablet:grid-cols-3 wide:grid-cols-5'
  return charts === 4 ? 'tablet:grid-cols-2 wide:grid-cols-4' : 'tablet:grid-cols-3'
}

function PointTooltip({ label, point }: { label: string; point: RatePoint }) {
  const { from, to } = point
  return (
    <>
      <TooltipTitle note="UTC">{from === to ? weekdayText(from) : spanText(from, to)}</TooltipTitle>
      <TooltipRow label={label} value={rateText(point)} />
      {pointNotes(point).map((note) => (
        <p key={note} className="text-ink2">
          {note}
        </p>
      ))}
    </>
  )
}
