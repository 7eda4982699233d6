import { type DayEvidence, formOf } from '../evidence/day.ts'
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

/** Days as bars without axes; each row has a scale of its own, so it shows a course and no size. */
export function Spark({ days, counts, color, label, width = 86 }: SparkProps) {
  const slot = width / Math.max(1, days.length)
  const bar = Math.max(0.6, slot > 2 ? slot - 0.8 : slot * 0.8)
  const scale = countScale(Math.max(0, ...counts.values()), HEIGHT - 1)
  return (
    <svg
      role="img"
      aria-label={label}
      width={width}
      height={HEIGHT}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      className="block"
    >
      {days.map((day, index) => {
        const form = formOf(day)
        const count = counts.get(day.date)
        if (form === 'gap' && count === undefined) {
          return <rect key={day.date} x={index * slot} y="0" width={slot} height={HEIGHT} fill={PATTERN.gap} />
        }
        const height = count === undefined ? 1 : scale.height(count)
        const opacity = count === undefined ? 0.5 : form === 'complete' ? 1 : 0.5
        return (
          <rect
            key={day.date}
            x={index * slot}
            y={HEIGHT - height}
            width={bar}
            height={height}
            fill={color}
            opacity={opacity}
          />
        )
      })}
    </svg>
  )
}
