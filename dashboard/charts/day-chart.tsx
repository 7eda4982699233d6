import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import type { DayEvidence } from '../evidence/day.ts'
import { EvidenceCells } from '../evidence/day-cell.tsx'
import { axisWidth, Baseline, DayAxis, Grid } from './axes.tsx'
import { ChartLegend } from './chart-legend.tsx'
import { ChartTooltip } from './chart-tooltip.tsx'
import { Gaps } from './gaps.tsx'
import { Bars } from './merged-bars.tsx'
import { countScale, dayLabels } from './scales.ts'
import { isByWeek, type Series, type Slot, slotsOf, weeksOf } from './series.ts'
import { slotSentence } from './slot-words.ts'
import { useWidth } from './use-width.ts'
import { useWeekWords } from './week-words.ts'

interface DayChartProps {
  /** Heading of the panel and one sentence about the whole: the name of the chart for screen readers. */
  name: string
  days: readonly DayEvidence[]
  /** From the baseline up. */
  series: readonly Series[]
  /** The word for the sum of a day; null where a sum would say nothing. */
  total_label?: string | null
  selected?: string | undefined
  onSelect?: (date: string | undefined) => void
}

const HEIGHT = 268
const PHONE_WIDTH = 480
const PHONE_HEIGHT = 220
const TRACK_GAP = 5
const TRACK_HEIGHT = 8
const AXIS_HEIGHT = 26
const TOP = 10
/** What header, evidence line and a tooltip take of the window above a chart. */
const ROOM_ABOVE = 280

/** Counts a day as stacked bars from zero, above the DayTrack. What a day without a row means is said by its evidence. */
export function DayChart({ name, days, series, total_label = 'Observed', selected, onSelect }: DayChartProps) {
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame)
  const height = width < PHONE_WIDTH ? PHONE_HEIGHT : HEIGHT
  const [active, setActive] = useState<number | null>(null)
  const [series_index, setSeriesIndex] = useState<number | null>(null)
  const status_id = useId()
  const is_open = active !== null
  // Also while the pointer is over it and the focus is elsewhere.
  useEffect(() => {
    if (!is_open) return
    const onKeyDown = ({ key }: globalThis.KeyboardEvent) => key === 'Escape' && setActive(null)
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [is_open])

  const by_day = useMemo(() => slotsOf(days, series), [days, series])
  const is_weekly = isByWeek(width, by_day.length)
  useWeekWords(is_weekly)
  const slots = useMemo(() => (is_weekly ? weeksOf(by_day) : by_day), [by_day, is_weekly])
  const plot_height = height - TOP - TRACK_GAP - TRACK_HEIGHT - AXIS_HEIGHT
  const scale = useMemo(
    () => countScale(Math.max(0, ...slots.map(({ total }) => total ?? 0)), plot_height),
    [slots, plot_height],
  )

  const left = scale.ticks.length === 0 ? 0 : axisWidth(scale)
  const bottom = TOP + plot_height
  const slot_width = (width - left) / Math.max(1, slots.length)
  const bar_width = Math.max(
    1,
    slot_width > 8 ? Math.min(slot_width * 0.78, 44) : slot_width - (slot_width > 3 ? 1 : 0.4),
  )
  const x = (index: number) => left + index * slot_width + (slot_width - bar_width) / 2
  const shown = active === null ? undefined : slots[active]

  // Only days can be selected, not weeks.
  const selectSlot = ({ from }: Slot) => is_weekly || onSelect?.(from === selected ? undefined : from)
  const move = (index: number) => setActive(Math.max(0, Math.min(slots.length - 1, index)))
  const onKeyDown = (event: KeyboardEvent) => {
    const at = active ?? slots.length - 1
    if (event.key === 'ArrowLeft') move(active === null ? at : at - 1)
    else if (event.key === 'ArrowRight') move(active === null ? 0 : at + 1)
    else if (event.key === 'Home') move(0)
    else if (event.key === 'End') move(slots.length - 1)
    else if (event.key === 'ArrowUp') setSeriesIndex((before) => nextSeries(before, series.length, 1))
    else if (event.key === 'ArrowDown') setSeriesIndex((before) => nextSeries(before, series.length, -1))
    else if (event.key === 'Enter' && shown !== undefined) selectSlot(shown)
    else return
    event.preventDefault()
  }
  const indexAt = (client_x: number) => {
    const box = frame.current?.getBoundingClientRect()
    if (box === undefined || client_x < box.left + left) return null
    return Math.min(slots.length - 1, Math.floor((client_x - box.left - left) / slot_width))
  }

  return (
    <div>
      {/* biome-ignore lint/a11y/useSemanticElements: a chart is one stop for the keyboard, not a set of fields */}
      <div
        ref={frame}
        role="group"
        aria-label={is_weekly ? `${name} By week.` : name}
        aria-describedby={status_id}
        data-days={onSelect === undefined ? undefined : days.map(({ date }) => date).join(' ')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys read its days
        tabIndex={0}
        className="relative touch-pan-y rounded-tag"
        onKeyDown={onKeyDown}
        onBlur={() => setActive(null)}
        onPointerMove={(event) => setActive(indexAt(event.clientX))}
        onPointerLeave={() => setActive(null)}
      >
        <svg
          aria-hidden="true"
          width={width}
          height={height}
          viewBox={`0 0 ${width} ${height}`}
          className="block max-w-full"
        >
          <Grid {...{ scale, left, bottom }} right={width} />
          {active !== null && shown?.day.state !== 'gap' && (
            <rect
              x={left + active * slot_width}
              y={TOP}
              width={slot_width}
              height={plot_height}
              fill="var(--color-sunken)"
            />
          )}
          <Gaps {...{ slots, left, slot_width }} top={TOP - 8} height={plot_height + 8} />
          <Bars {...{ slots, series, scale }} place={(index) => ({ x: x(index), width: bar_width, bottom })} />
          {selected !== undefined && (
            <Selected
              index={slots.findIndex(({ from, to }) => from <= selected && selected <= to)}
              {...{ left, slot_width, bottom }}
            />
          )}
          <Baseline {...{ left, bottom }} right={width} />
          <EvidenceCells
            days={slots.map(({ day }) => day)}
            place={(index) => ({ x: x(index), width: bar_width })}
            y={bottom + TRACK_GAP}
            height={TRACK_HEIGHT}
          />
          <DayAxis
            labels={dayLabels(
              slots.map(({ day }) => day),
              slot_width,
            )}
            {...{ left, slot_width }}
            right={width}
            y={height - 4}
          />
          {onSelect !== undefined && !is_weekly && (
            // biome-ignore lint/a11y/noStaticElementInteractions: Enter on the group does the same
            <rect
              x={left}
              y={0}
              width={Math.max(0, width - left)}
              height={height}
              fill="transparent"
              className="cursor-pointer"
              onClick={(event) => {
                const clicked = slots[indexAt(event.clientX) ?? -1]
                if (clicked !== undefined) selectSlot(clicked)
              }}
            />
          )}
        </svg>
        {active !== null && shown !== undefined && (
          <ChartTooltip
            slot={shown}
            series={series}
            total_label={total_label}
            highlighted={series_index}
            middle={left + (active + 0.5) * slot_width}
            width={width}
            is_below={(frame.current?.getBoundingClientRect().top ?? ROOM_ABOVE) < ROOM_ABOVE}
          />
        )}
        <span id={status_id} className="sr-only" aria-live="polite">
          {shown === undefined ? 'Arrow keys read the days.' : slotSentence(shown, series, series_index)}
        </span>
      </div>
      <ChartLegend series={series} days={slots.map(({ day }) => day)} />
    </div>
  )
}

const nextSeries = (before: number | null, count: number, step: 1 | -1) =>
  count === 0 ? null : before === null ? (step === 1 ? 0 : count - 1) : (before + step + count) % count

function Selected({
  index,
  left,
  slot_width,
  bottom,
}: {
  index: number
  left: number
  slot_width: number
  bottom: number
}) {
  if (index < 0) return null
  return (
    <rect
      x={left + index * slot_width + 0.5}
      y={2}
      width={slot_width - 1}
      height={bottom + TRACK_GAP + TRACK_HEIGHT}
      rx="3"
      fill="none"
      stroke="var(--color-ink)"
      strokeWidth="1.4"
    />
  )
}
