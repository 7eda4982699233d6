import { countWithoutRow, type DayEvidence, formOf } from '../evidence/day.ts'
import { PATTERN } from '../evidence/patterns.tsx'
import { countScale } from './scales.ts'

interface SparkProps {
  days: readonly DayEvidence[]
  counts: ReadonlyMap<string, number>
  color: string
  label: string
  width?: number
}

const HEIGHT = 20

/** Days as bars without axes. Each row has its own scale, so rows show a trend and cannot be compared in size. */
export function Spark({ days, counts, color, label, width = 86 }: SparkProps) {
  const slot = width / Math.max(1, days.length)
  const bar = Math.max(0.6, slot > 2 ? slot - 0.8 : slot * 0.8)
  const scale = countScale(Math.max(0, ...counts.values()), HEIGHT - 1)
  const bars = days.map((day, index) => {
    const count = counts.get(day.date) ?? countWithoutRow(day)
    const [look, height] =
      count === null
        ? (['gap', HEIGHT] as const)
        : ([count > 0 && formOf(day) === 'complete' ? 'full' : 'pale', Math.max(1, scale.height(count))] as const)
    return {
      look,
      d: `M${round(index * slot)} ${round(HEIGHT - height)}h${round(look === 'gap' ? slot : bar)}V${HEIGHT}H${round(index * slot)}z`,
    }
  })
  // One path per look, because a table of a year would have thousands of bars.
  const pathOf = (wanted: string) => bars.flatMap(({ look, d }) => (look === wanted ? [d] : [])).join('')
  return (
    <svg
      role="img"
      aria-label={label}
      width={width}
      height={HEIGHT}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      className="block"
    >
      <path d={pathOf('gap')} fill={PATTERN.gap} />
      <path d={pathOf('pale')} fill={color} opacity="0.5" />
      <path d={pathOf('full')} fill={color} />
    </svg>
  )
}

const round = (value: number) => Math.round(value * 100) / 100
