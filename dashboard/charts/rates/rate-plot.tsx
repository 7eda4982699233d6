import { scaleLinear } from 'd3-scale'
import { line } from 'd3-shape'
import { memo } from 'react'
import { PATTERN } from '../../evidence/patterns.tsx'
import { dayText } from '../../words/days.ts'
import { Baseline, DayAxis } from '../axes.tsx'
import { isOpenPoint, joinedRuns, type RatePoint } from './rate-points.ts'

interface RatePlotProps {
  points: readonly RatePoint[]
  /** Shared by small multiples; from 0 to 1. */
  largest: number
  width: number
  height: number
  active: number | null
}

/** Space for the axis labels. */
export const RATE_LEFT = 30
const TOP = 8

/** Rates are points with interval bars, joined only between adjacent comparable ones. */
export const RatePlot = memo(function RatePlot({ points, largest, width, height, active }: RatePlotProps) {
  const bottom = height - 24
  const scale = scaleLinear()
    .domain([0, Math.max(0.05, largest)])
    .nice(3)
    .range([bottom, TOP])
  const slot = (width - RATE_LEFT) / Math.max(1, points.length)
  const x = (index: number) => RATE_LEFT + (index + 0.5) * slot
  const column = (index: number) => ({ x: x(index) - slot / 2, y: TOP, width: slot, height: bottom - TOP })
  const path = line<number>(x, (index) => scale(points[index]?.rate as number))
  const step = Math.max(1, Math.ceil(56 / slot))
  const labels = points.flatMap(({ from }, index) => (index % step === 0 ? [{ index, text: dayText(from) }] : []))
  return (
    <svg aria-hidden="true" width={width} height={height} className="block max-w-full">
      {scale.ticks(3).map((tick) => (
        <g key={tick} fontSize="11">
          <path d={`M${RATE_LEFT} ${Math.round(scale(tick)) + 0.5}H${width}`} stroke="var(--color-line)" />
          <text x={RATE_LEFT - 6} y={scale(tick)} textAnchor="end" dominantBaseline="central" fill="var(--color-ink3)">
            {Math.round(tick * 100)}
          </text>
        </g>
      ))}
      {points.map(({ from, rate, not_asked }, index) =>
        rate === null && not_asked !== true ? <rect key={from} {...column(index)} fill={PATTERN.gap} /> : null,
      )}
      {active !== null && active < points.length && (
        <rect {...column(active)} fill="var(--color-sunken)" stroke="var(--color-control)" fillOpacity="0.7" />
      )}
      {joinedRuns(points).map((run) => (
        <path
          key={run[0]}
          d={path(run) ?? ''}
          fill="none"
          stroke="var(--color-series)"
          strokeWidth="1.6"
          strokeLinejoin="round"
        />
      ))}
      {points.map((point, index) => (
        <Point key={point.from} point={point} x={x(index)} y={scale} break_at={x(index) - slot / 2} bottom={bottom} />
      ))}
      {points.every(({ not_asked }) => not_asked === true) && (
        <text
          x={(RATE_LEFT + width) / 2}
          y={(TOP + bottom) / 2}
          textAnchor="middle"
          dominantBaseline="central"
          fontSize="11"
          fill="var(--color-ink2)"
          stroke="var(--color-panel)"
          strokeWidth="4"
          paintOrder="stroke"
        >
          {points.some(({ so_far }) => so_far === true) ? 'no answer yet' : 'nothing was asked'}
        </text>
      )}
      <Baseline left={RATE_LEFT} right={width} bottom={bottom} />
      <DayAxis labels={labels} left={RATE_LEFT} slot_width={slot} right={width} y={height - 6} />
    </svg>
  )
})

interface PointProps {
  point: RatePoint
  x: number
  y: (rate: number) => number
  /** Position of the line that marks the point as not comparable with the previous one. */
  break_at: number
  bottom: number
}

const Point = ({ point, x, y, break_at, bottom }: PointProps) => (
  <g>
    {point.break != null && (
      <path d={`M${break_at} ${TOP}V${bottom}`} stroke="var(--color-ink2)" strokeWidth="1.4" strokeDasharray="2 3" />
    )}
    {point.low !== null && point.high !== null && (
      <rect
        x={x - 3}
        y={y(point.high)}
        width="6"
        height={Math.max(1, y(point.low) - y(point.high))}
        fill="var(--color-series)"
        fillOpacity="0.3"
      />
    )}
    {point.rate !== null && (
      <circle
        cx={x}
        cy={y(point.rate)}
        r="3.2"
        fill={isOpenPoint(point) ? 'var(--color-panel)' : 'var(--color-series)'}
        stroke="var(--color-series)"
        strokeWidth="1.4"
      />
    )}
  </g>
)
