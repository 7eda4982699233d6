import { fullCount, shortCount } from '../words/numbers.ts'
import type { DayLabel, Scale } from './scales.ts'

interface GridProps {
  scale: Scale
  left: number
  right: number
  bottom: number
}

/** Gridlines with their numbers to the left, and the baseline. */
export function Grid({ scale, left, right, bottom }: GridProps) {
  const format = scale.ticks.some((tick) => tick >= 10_000_000) ? shortCount : fullCount
  return (
    <g fontSize="11">
      {scale.ticks.map((tick) => {
        const y = Math.round(bottom - scale.height(tick)) + 0.5
        return (
          <g key={tick}>
            <path d={`M${left} ${y}H${right}`} stroke="var(--color-line)" />
            <text x={left - 8} y={y} textAnchor="end" dominantBaseline="central" fill="var(--color-ink3)">
              {format(tick)}
            </text>
          </g>
        )
      })}
    </g>
  )
}

export const Baseline = ({ left, right, bottom }: Omit<GridProps, 'scale'>) => (
  <path d={`M${left} ${bottom + 0.5}H${right}`} stroke="var(--color-control)" />
)

interface DayAxisProps {
  labels: readonly DayLabel[]
  left: number
  slot_width: number
  right: number
  y: number
}

export const DayAxis = ({ labels, left, slot_width, right, y }: DayAxisProps) => (
  <g fontSize="11" fill="var(--color-ink3)">
    {labels.map(({ index, text }) => (
      <text key={index} y={y} {...anchored(left + (index + 0.5) * slot_width, { left, right })}>
        {text}
      </text>
    ))}
  </g>
)

/** Half of the width of a label. */
const LABEL_REACH = 18

/** A label in the middle of its day, or beside the edge of the chart that it would cross. */
function anchored(middle: number, { left, right }: { left: number; right: number }) {
  if (middle > right - LABEL_REACH) return { x: right, textAnchor: 'end' } as const
  if (middle < left + LABEL_REACH) return { x: left, textAnchor: 'start' } as const
  return { x: middle, textAnchor: 'middle' } as const
}

/** Room for the numbers left of the axis. */
export const axisWidth = ({ ticks }: Scale) =>
  Math.max(14, ...ticks.map((tick) => (tick >= 10_000_000 ? shortCount : fullCount)(tick).length * 6.6 + 10))
