import { scaleLinear } from 'd3-scale'
import { line } from 'd3-shape'
import { useRef } from 'react'
import { PATTERN } from '../evidence/patterns.tsx'
import { dayText, spanText } from '../words/days.ts'
import { fullCount, interval, percent } from '../words/numbers.ts'
import { Baseline, DayAxis } from './axes.tsx'
import { useWidth } from './use-width.ts'

/** One rate with its interval; `n` below ten, a gap or a break before it ends the line. */
export interface RatePoint {
  from: string
  to: string
  k: number
  n: number
  /** Shares from 0 to 1; null where nothing was answered: unknown, not zero. */
  rate: number | null
  low: number | null
  high: number | null
  /** Why it is not comparable with the point before it, such as a changed model. */
  break?: string | null
  /** Nothing was due: no gap, and the line goes on over it. */
  not_asked?: boolean
  /** Today is one of its days: more answers may come. */
  so_far?: boolean
}

interface RateChartProps {
  name: string
  points: readonly RatePoint[]
  /** Shared by small multiples; from 0 to 1. */
  largest: number
  height: number
}

const MIN_ANSWERS = 10
const LEFT = 30
const TOP = 8

/** Rates are points with interval bars, joined only between adjacent comparable ones. */
export function RateChart({ name, points, largest, height }: RateChartProps) {
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame, 240)
  const bottom = height - 24
  const scale = scaleLinear()
    .domain([0, Math.max(0.05, largest)])
    .nice(3)
    .range([bottom, TOP])
  const slot = (width - LEFT) / Math.max(1, points.length)
  const x = (index: number) => LEFT + (index + 0.5) * slot
  const path = line<{ x: number; y: number }>(
    ({ x: at }) => at,
    ({ y }) => y,
  )
  const step = Math.max(1, Math.ceil(56 / slot))
  const labels = points.flatMap(({ from }, index) => (index % step === 0 ? [{ index, text: dayText(from) }] : []))
  return (
    <div ref={frame}>
      <svg
        role="img"
        aria-label={`${name}. ${points.map(pointWords).join('; ')}`}
        width={width}
        height={height}
        className="block max-w-full"
      >
        {scale.ticks(3).map((tick) => (
          <g key={tick} fontSize="11">
            <path d={`M${LEFT} ${Math.round(scale(tick)) + 0.5}H${width}`} stroke="var(--color-line)" />
            <text x={LEFT - 6} y={scale(tick)} textAnchor="end" dominantBaseline="central" fill="var(--color-ink3)">
              {Math.round(tick * 100)}
            </text>
          </g>
        ))}
        {points.map((point, index) =>
          point.rate === null && point.not_asked !== true ? (
            <rect
              key={point.from}
              x={x(index) - slot / 2}
              y={TOP}
              width={slot}
              height={bottom - TOP}
              fill={PATTERN.gap}
            />
          ) : null,
        )}
        {linesOf(points).map((run) => (
          <path
            key={run[0]}
            d={path(run.map((index) => ({ x: x(index), y: scale(points[index]?.rate as number) }))) ?? ''}
            fill="none"
            stroke="var(--color-series)"
            strokeWidth="1.6"
            strokeLinejoin="round"
          />
        ))}
        {points.map((point, index) => (
          <g key={point.from}>
            {point.break != null && (
              <path
                d={`M${x(index) - slot / 2} ${TOP}V${bottom}`}
                stroke="var(--color-ink2)"
                strokeWidth="1.4"
                strokeDasharray="2 3"
              />
            )}
            {point.low !== null && point.high !== null && (
              <rect
                x={x(index) - 3}
                y={scale(point.high)}
                width="6"
                height={Math.max(1, scale(point.low) - scale(point.high))}
                fill="var(--color-series)"
                fillOpacity="0.3"
              />
            )}
            {point.rate !== null && (
              <circle
                cx={x(index)}
                cy={scale(point.rate)}
                r="3.2"
                fill={point.n < MIN_ANSWERS || point.so_far === true ? 'var(--color-panel)' : 'var(--color-series)'}
                stroke="var(--color-series)"
                strokeWidth="1.4"
              />
            )}
            <rect x={x(index) - slot / 2} y={TOP} width={slot} height={bottom - TOP} fill="transparent">
              <title>{pointWords(point)}</title>
            </rect>
          </g>
        ))}
        {points.every(({ not_asked }) => not_asked === true) && (
          <text
            x={(LEFT + width) / 2}
            y={(TOP + bottom) / 2}
            textAnchor="middle"
            dominantBaseline="central"
            fontSize="11"
            fill="var(--color-ink2)"
            stroke="var(--color-panel)"
            strokeWidth="4"
            paintOrder="stroke"
          >
            nothing was asked
          </text>
        )}
        <Baseline left={LEFT} right={width} bottom={bottom} />
        <DayAxis labels={labels} left={LEFT} slot_width={slot} right={width} y={height - 6} />
      </svg>
    </div>
  )
}

/** Runs of indexes that may be joined by a line. */
export function linesOf(points: readonly RatePoint[]): number[][] {
  const runs: number[][] = []
  let is_open = false
  points.forEach((point, index) => {
    if (point.not_asked === true && point.rate === null) return
    const is_solid = point.rate !== null && point.n >= MIN_ANSWERS
    if (is_solid && is_open && point.break == null) runs.at(-1)?.push(index)
    else if (is_solid) runs.push([index])
    is_open = is_solid
  })
  return runs.filter(({ length }) => length > 1)
}

function pointWords({ from, to, rate, low, high, k, n, break: broken, not_asked, so_far }: RatePoint): string {
  const day = `${spanText(from, to)}${so_far === true ? ', so far' : ''}`
  if (rate === null) return `${day}: ${not_asked === true ? 'not asked' : 'unknown'}`
  const range = low === null || high === null ? '' : ` (${interval(low, high)})`
  return `${day}: ${percent(rate)}${range}, ${fullCount(k)} of ${fullCount(n)}${broken == null ? '' : `, ${broken}`}`
}
