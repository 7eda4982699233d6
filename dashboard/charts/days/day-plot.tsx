import { memo } from 'react'
import { EvidenceCells } from '../../evidence/day-cell.tsx'
import { Baseline, DayAxis, Grid } from '../axes.tsx'
import { Gaps } from '../gaps.tsx'
import { dayLabels, type Scale } from '../scales.ts'
import type { Series, Slot } from '../series.ts'
import { Bars } from './merged-bars.tsx'

/** Positions and sizes in pixels. */
export interface DayLayout {
  width: number
  height: number
  /** The left edge of the days, right of the axis labels. */
  left: number
  /** Top and baseline of the bars. */
  top: number
  bottom: number
  slot_width: number
  bar_width: number
  /** The cells that show the evidence of each day. */
  track: { gap: number; height: number }
}

interface DayPlotProps {
  slots: readonly Slot[]
  series: readonly Series[]
  scale: Scale
  layout: DayLayout
  active: number | null
  selected: string | undefined
  can_select: boolean
}

/** Bars of days above the cells of their evidence, with axes. Pointer and keys are handled by the `ChartGroup`. */
export const DayPlot = memo(function DayPlot(props: DayPlotProps) {
  const { slots, series, scale, layout, active, selected, can_select } = props
  const { width, height, left, top, bottom, slot_width, bar_width, track } = layout
  const x = (index: number) => left + index * slot_width + (slot_width - bar_width) / 2
  const days = slots.map(({ day }) => day)
  const selected_at =
    selected === undefined ? -1 : slots.findIndex(({ from, to }) => from <= selected && selected <= to)
  return (
    <svg
      aria-hidden="true"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      className={`block max-w-full ${can_select ? 'cursor-pointer' : ''}`}
    >
      <Grid {...{ scale, left, bottom }} right={width} />
      {active !== null && slots[active]?.day.state !== 'gap' && (
        <rect
          x={left + active * slot_width}
          y={top}
          width={slot_width}
          height={bottom - top}
          fill="var(--color-sunken)"
        />
      )}
      <Gaps {...{ slots, left, slot_width }} top={2} height={bottom - 2} />
      <Bars {...{ slots, series, scale }} place={(index) => ({ x: x(index), width: bar_width, bottom })} />
      {active !== null && slots[active]?.day.state === 'gap' && (
        <Frame x={left + active * slot_width} {...{ layout }} stroke="var(--color-ink3)" />
      )}
      {selected_at >= 0 && <Frame x={left + selected_at * slot_width} {...{ layout }} stroke="var(--color-ink)" />}
      <Baseline {...{ left, bottom }} right={width} />
      <EvidenceCells
        days={days}
        place={(index) => ({ x: x(index), width: bar_width })}
        y={bottom + track.gap}
        height={track.height}
      />
      <DayAxis labels={dayLabels(days, slot_width)} {...{ left, slot_width }} right={width} y={height - 4} />
    </svg>
  )
})

/** An outline around a day, from the top of the chart to its cell. */
const Frame = ({
  x,
  layout: { slot_width, bottom, track },
  stroke,
}: {
  x: number
  layout: DayLayout
  stroke: string
}) => (
  <rect
    x={x + 0.5}
    y={2}
    width={Math.max(0.5, slot_width - 1)}
    height={bottom + track.gap + track.height}
    rx="3"
    fill="none"
    stroke={stroke}
    strokeWidth="1.4"
  />
)
