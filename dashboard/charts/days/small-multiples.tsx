import { useMemo, useRef } from 'react'
import type { DayEvidence } from '../../evidence/day.ts'
import { Value } from '../../evidence/value.tsx'
import { axisWidth } from '../axes.tsx'
import { ChartGroup } from '../chart-group.tsx'
import { ChartTooltip } from '../chart-tooltip.tsx'
import { SeriesMark } from '../mark.tsx'
import { columnAt } from '../marks.ts'
import { countScale } from '../scales.ts'
import { isByWeek, type Series, slotsOf, weeksOf } from '../series.ts'
import { slotSentence } from '../slot-words.ts'
import { useSmallHeight } from '../use-small-height.ts'
import { useWidth } from '../use-width.ts'
import { type DayLayout, DayPlot } from './day-plot.tsx'
import { DayTooltip } from './day-tooltip.tsx'
import { useWeekWords } from './week-words.ts'

interface SmallMultiplesProps {
  /** Heading of the panel and one sentence about the whole. */
  name: string
  days: readonly DayEvidence[]
  series: readonly Series[]
  selected?: string | undefined
  onSelect?: (date: string | undefined) => void
}

const TRACK = { gap: 4, height: 6 }
const BELOW = 32
const TOP = 8

/** One small chart per series, all with the same scale, so that they can be compared by eye. At most nine. */
export function SmallMultiples({ name, days, series, selected, onSelect }: SmallMultiplesProps) {
  const list = useRef<HTMLUListElement>(null)
  const first = useRef<HTMLDivElement>(null)
  const height = useSmallHeight(list)
  const width = useWidth(first, 300)
  const is_weekly = isByWeek(width, days.length)
  useWeekWords(is_weekly)
  const charts = useMemo(
    () =>
      series.map((one) => {
        const by_day = slotsOf(days, [one])
        return { one, own: [one], slots: is_weekly ? weeksOf(by_day) : by_day }
      }),
    [series, days, is_weekly],
  )
  const count = charts[0]?.slots.length ?? 0
  const [scale, layout] = useMemo(() => {
    const largest = Math.max(0, ...series.flatMap(({ counts }) => [...counts.values()]))
    const bottom = height - BELOW
    const own_scale = countScale(is_weekly ? largest * 7 : largest, bottom - TOP)
    const left = own_scale.ticks.length === 0 ? 0 : axisWidth(own_scale)
    const slot_width = (width - left) / Math.max(1, count)
    const bar_width = Math.max(1, slot_width * 0.78)
    const own_layout: DayLayout = { width, height, left, top: TOP, bottom, slot_width, bar_width, track: TRACK }
    return [own_scale, own_layout] as const
  }, [series, height, width, is_weekly, count])
  const { left, slot_width } = layout
  const can_select = onSelect !== undefined && !is_weekly
  const selectDay = (date: string | undefined) => onSelect?.(date === selected ? undefined : date)
  return (
    <ChartGroup
      name={is_weekly ? `${name} By week.` : name}
      hint={`Left and right read the ${is_weekly ? 'weeks' : 'days'}, up and down the ${series.length} charts.`}
      shape={{ columns: count, rows: () => series.length, up: -1 }}
      reading={({ column, row }) => {
        const chart = charts[row ?? 0]
        const slot = chart?.slots[column]
        return chart === undefined || slot === undefined ? '' : slotSentence(slot, chart.own)
      }}
      markAt={({ target, clientX }) => {
        const chart = target.closest<HTMLElement>('[data-chart]')
        const column = columnAt(clientX, chart, { left, slot_width, count })
        return chart === null || column === null ? null : { column, row: Number(chart.dataset.chart) }
      }}
      onSelect={can_select ? ({ column }) => selectDay(charts[0]?.slots[column]?.from) : undefined}
      selectable_days={onSelect && days.map(({ date }) => date)}
    >
      {(active) => (
        <ul ref={list} className={`grid grid-cols-1 gap-x-12 gap-y-8 ${columnsOf(days.length)}`}>
          {charts.map(({ one, own, slots }, index) => {
            const column = active !== null && active.row === index ? active.column : null
            const shown = column === null ? undefined : slots[column]
            return (
              // The first item is measured, so it keeps its key when it shows another series.
              <li key={index === 0 ? '' : one.key} className="min-w-0">
                <p className="flex items-center gap-3 text-dense font-medium">
                  <SeriesMark series={one} />
                  <span className="truncate">{one.label}</span>
                  <span className="ml-auto text-small font-normal text-ink3">
                    <Value value={totalOf(days, one)} />
                  </span>
                </p>
                <div ref={index === 0 ? first : undefined} data-chart={index} className="relative">
                  <DayPlot {...{ slots, scale, layout, selected, can_select }} series={own} active={column} />
                  {column !== null && shown !== undefined && (
                    <ChartTooltip middle={left + (column + 0.5) * slot_width} width={width}>
                      <DayTooltip slot={shown} series={own} total_label="Observed" highlighted={null} />
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

/** The number of charts per row at which bars are still visible. */
function columnsOf(days: number): string {
  if (days <= 100) return 'tablet:grid-cols-3'
  return days <= 190 ? 'tablet:grid-cols-2' : ''
}

const totalOf = (days: readonly DayEvidence[], { counts }: Series) =>
  days.every(({ state }) => state === 'gap') ? null : [...counts.values()].reduce((sum, count) => sum + count, 0)
