import { useRef } from 'react'
import type { DayEvidence } from '../evidence/day.ts'
import { EvidenceCells } from '../evidence/day-cell.tsx'
import { Value } from '../evidence/value.tsx'
import { axisWidth, Baseline, DayAxis, Grid } from './axes.tsx'
import { Gaps } from './gaps.tsx'
import { Mark } from './mark.tsx'
import { Bars } from './merged-bars.tsx'
import { countScale, dayLabels } from './scales.ts'
import { isByWeek, type Series, slotsOf, weeksOf } from './series.ts'
import { useSmallHeight } from './use-small-height.ts'
import { useWidth } from './use-width.ts'
import { useWeekWords } from './week-words.ts'

/** One small chart a series, all with the same scale, so that they can be compared by eye. At most nine. */
export function SmallMultiples({ days, series }: { days: readonly DayEvidence[]; series: readonly Series[] }) {
  const largest = Math.max(0, ...series.flatMap(({ counts }) => [...counts.values()]))
  const list = useRef<HTMLUListElement>(null)
  const height = useSmallHeight(list)
  return (
    <ul ref={list} className={`grid grid-cols-1 gap-x-12 gap-y-8 ${columnsOf(days.length)}`}>
      {series.map((one) => (
        <li key={one.key} className="min-w-0">
          <p className="flex items-center gap-3 text-dense font-medium">
            <Mark {...one} />
            <span className="truncate">{one.label}</span>
            <span className="ml-auto text-small font-normal text-ink3">
              <Value value={totalOf(days, one)} />
            </span>
          </p>
          <SmallChart days={days} series={one} largest={largest} height={height} />
        </li>
      ))}
    </ul>
  )
}

/** As many beside each other as leave each day a bar that can be seen. */
const columnsOf = (days: number): string =>
  days <= 100 ? 'tablet:grid-cols-3' : days <= 190 ? 'tablet:grid-cols-2' : ''

const totalOf = (days: readonly DayEvidence[], { counts }: Series) =>
  days.every(({ state }) => state === 'gap') ? null : [...counts.values()].reduce((sum, count) => sum + count, 0)

interface SmallChartProps {
  days: readonly DayEvidence[]
  series: Series
  /** Of all charts, on any day. */
  largest: number
  height: number
}

function SmallChart({ days, series, largest, height }: SmallChartProps) {
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame, 300)
  const by_day = slotsOf(days, [series])
  const is_weekly = isByWeek(width, days.length)
  useWeekWords(is_weekly)
  const slots = is_weekly ? weeksOf(by_day) : by_day
  const bottom = height - 32
  const scale = countScale(is_weekly ? largest * 7 : largest, bottom - 8)
  const left = scale.ticks.length === 0 ? 0 : axisWidth(scale)
  const slot_width = (width - left) / Math.max(1, slots.length)
  const bar = Math.max(1, slot_width * 0.78)
  const x = (index: number) => left + index * slot_width + (slot_width - bar) / 2
  return (
    <div ref={frame}>
      <svg
        role="img"
        aria-label={`${series.label} by ${is_weekly ? 'week' : 'day'}`}
        width={width}
        height={height}
        className="block max-w-full"
      >
        <Grid {...{ scale, left, bottom }} right={width} />
        <Gaps {...{ slots, left, slot_width }} top={4} height={bottom - 4} />
        <Bars {...{ slots, scale }} series={[series]} place={(index) => ({ x: x(index), width: bar, bottom })} />
        <Baseline {...{ left, bottom }} right={width} />
        <EvidenceCells
          days={slots.map(({ day }) => day)}
          place={(index) => ({ x: x(index), width: bar })}
          y={bottom + 4}
          height={6}
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
      </svg>
    </div>
  )
}
