import { memo } from 'react'
import { fullCount, percent } from '../../words/numbers.ts'
import { FunnelLabels } from './funnel-labels.tsx'
import type { FunnelBar } from './funnel-steps.ts'
import { UnknownColumn } from './funnel-unknown.tsx'

const PLOT = 190
const TOP = 22
const LABELS = 84
const GAP_OF_BAR = 0.69

/** The width of a column, and the distance from one column to the next. */
export function funnelWidths(width: number, count: number) {
  const bar = width / (count + (count - 1) * GAP_OF_BAR)
  return { bar, slot: bar * (1 + GAP_OF_BAR) }
}

interface FunnelColumnsProps {
  bars: readonly FunnelBar[]
  width: number
  active: number | null
}

/** Columns from zero. Beside each column are the sessions that were not seen going on to it. */
export const FunnelColumns = memo(function FunnelColumns({ bars, width, active }: FunnelColumnsProps) {
  const { bar, slot } = funnelWidths(width, bars.length)
  const largest = Math.max(1, ...bars.map(({ reached }) => reached ?? 0))
  const height = (count: number) => (count === 0 ? 0 : Math.max(1.5, (count / largest) * PLOT))
  const bottom = TOP + PLOT
  return (
    <svg aria-hidden="true" width={width} height={bottom + LABELS} className="block max-w-full overflow-visible">
      {active !== null && (
        <rect x={active * slot - 4} y={0} width={bar + 8} height={bottom + LABELS} rx="3" fill="var(--color-sunken)" />
      )}
      {[0.25, 0.5, 0.75, 1].map((part) => (
        <path key={part} d={`M0 ${Math.round(bottom - PLOT * part) + 0.5}H${width}`} stroke="var(--color-line)" />
      ))}
      {bars.map((one, index) => (
        <Column
          key={one.position}
          {...{ one, bar, bottom, height }}
          before={bars[index - 1]}
          x={index * slot}
          gap={slot - bar}
        />
      ))}
      <path d={`M0 ${bottom + 0.5}H${width}`} stroke="var(--color-control)" />
      {bars.map((one, index) => (
        <FunnelLabels key={one.position} one={one} x={index * slot} y={bottom} characters={Math.floor(slot / 7.9)} />
      ))}
    </svg>
  )
})

interface ColumnProps {
  one: FunnelBar
  before: FunnelBar | undefined
  x: number
  bar: number
  gap: number
  bottom: number
  height: (count: number) => number
}

function Column({ one, before, x, bar, gap, bottom, height }: ColumnProps) {
  if (one.reached === null)
    return <UnknownColumn {...{ x, top: TOP, height: PLOT }} width={bar} is_withheld={one.quality === 'suppressed'} />
  const top = bottom - height(one.reached)
  const lost_top = before?.reached == null ? null : bottom - height(before.reached)
  const is_lower_bound = one.quality === 'observed_lower_bound'
  return (
    <g>
      {lost_top !== null && (
        <>
          <path
            d={`M${x - gap} ${lost_top}L${x} ${top}V${bottom}H${x - gap}Z`}
            fill="var(--color-series)"
            fillOpacity="0.13"
          />
          {one.rate !== null && (
            <text
              x={x - gap / 2}
              y={bottom - 12}
              textAnchor="middle"
              fontSize="12"
              fontWeight="620"
              fill="var(--color-ink)"
            >
              {percent(one.rate)}
            </text>
          )}
          {one.lost !== null && one.lost > 0 && (
            <>
              <rect
                x={x + 0.5}
                y={lost_top + 0.5}
                width={bar - 1}
                height={Math.max(0, top - lost_top - 0.5)}
                fill="none"
                stroke="var(--color-control)"
              />
              <text
                x={x + bar / 2}
                y={lost_top - 6}
                textAnchor="middle"
                fontSize="11"
                fill="var(--color-ink3)"
                stroke="var(--color-panel)"
                strokeWidth="3"
                paintOrder="stroke"
              >
                {fullCount(one.lost)} not seen going on
              </text>
            </>
          )}
        </>
      )}
      <rect x={x} y={top} width={bar} height={bottom - top} fill="var(--color-series)" />
      {is_lower_bound && (
        <path d={`M${x} ${top - 3}h${bar}`} stroke="var(--color-ink)" strokeWidth="1.5" strokeDasharray="3 2" />
      )}
    </g>
  )
}
