import { useMemo, useRef } from 'react'
import type { DayEvidence } from '../../evidence/day.ts'
import { axisWidth } from '../axes.tsx'
import { ChartGroup } from '../chart-group.tsx'
import { ChartLegend } from '../chart-legend.tsx'
import { ChartTooltip } from '../chart-tooltip.tsx'
import { columnAt } from '../marks.ts'
import { countScale } from '../scales.ts'
import { isByWeek, type Series, slotsOf, weeksOf } from '../series.ts'
import { slotSentence } from '../slot-words.ts'
import { useWidth } from '../use-width.ts'
import { type DayLayout, DayPlot } from './day-plot.tsx'
import { DayTooltip } from './day-tooltip.tsx'
import { useWeekWords } from './week-words.ts'

interface DayChartProps {
  /** Heading of the panel and one sentence about the whole: the name of the chart for screen readers. */
  name: string
  days: readonly DayEvidence[]
  /** From the baseline up. */
  series: readonly Series[]
  /** The word for the sum of a day; null if a sum has no meaning. */
  total_label?: string | null
  selected?: string | undefined
  onSelect?: (date: string | undefined) => void
}

const HEIGHT = 268
const PHONE_WIDTH = 480
const PHONE_HEIGHT = 220
const TRACK = { gap: 5, height: 8 }
const AXIS_HEIGHT = 26
const TOP = 10

/**
 * Daily counts as stacked bars from zero, above the DayTrack. The evidence of a day decides what a missing row means.
 */
export function DayChart({ name, days, series, total_label = 'Observed', selected, onSelect }: DayChartProps) {
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame)
  const by_day = useMemo(() => slotsOf(days, series), [days, series])
  const is_weekly = isByWeek(width, by_day.length)
  useWeekWords(is_weekly)
  const slots = useMemo(() => (is_weekly ? weeksOf(by_day) : by_day), [by_day, is_weekly])
  const height = width < PHONE_WIDTH ? PHONE_HEIGHT : HEIGHT
  const bottom = height - TRACK.gap - TRACK.height - AXIS_HEIGHT
  const scale = useMemo(
    () => countScale(Math.max(0, ...slots.map(({ total }) => total ?? 0)), bottom - TOP),
    [slots, bottom],
  )
  const left = scale.ticks.length === 0 ? 0 : axisWidth(scale)
  const slot_width = (width - left) / Math.max(1, slots.length)
  const layout: DayLayout = {
    width,
    height,
    left,
    top: TOP,
    bottom,
    slot_width,
    bar_width: barWidth(slot_width),
    track: TRACK,
  }
  // Only days can be selected, not weeks.
  const can_select = onSelect !== undefined && !is_weekly
  const selectDay = (date: string | undefined) => onSelect?.(date === selected ? undefined : date)
  return (
    <div>
      <ChartGroup
        ref={frame}
        name={is_weekly ? `${name} By week.` : name}
        hint="Arrow keys read the days."
        shape={{ columns: slots.length, rows: () => series.length, up: 1, has_whole: true }}
        reading={({ column, row }) => {
          const slot = slots[column]
          return slot === undefined ? '' : slotSentence(slot, series, row)
        }}
        markAt={({ clientX }) => {
          const column = columnAt(clientX, frame.current, { left, slot_width, count: slots.length })
          return column === null ? null : { column, row: null }
        }}
        onSelect={can_select ? ({ column }) => selectDay(slots[column]?.from) : undefined}
        selectable_days={onSelect && days.map(({ date }) => date)}
      >
        {(active) => {
          const shown = active === null ? undefined : slots[active.column]
          return (
            <>
              <DayPlot {...{ slots, series, scale, layout, selected, can_select }} active={active?.column ?? null} />
              {active !== null && shown !== undefined && (
                <ChartTooltip middle={left + (active.column + 0.5) * slot_width} width={width}>
                  <DayTooltip slot={shown} {...{ series, total_label }} highlighted={active.row} />
                </ChartTooltip>
              )}
            </>
          )
        }}
      </ChartGroup>
      <ChartLegend series={series} days={slots.map(({ day }) => day)} />
    </div>
  )
}

/** Wide slots have bars with space between them; in narrow ones a line of background separates them. */
function barWidth(slot_width: number): number {
  if (slot_width > 8) return Math.min(slot_width * 0.78, 44)
  return Math.max(1, slot_width - (slot_width > 3 ? 1 : 0.4))
}
