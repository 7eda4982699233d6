import { formOf } from '../../evidence/day.ts'
import { PATTERN } from '../../evidence/patterns.tsx'
import type { Scale } from '../scales.ts'
import type { Series, Slot } from '../series.ts'

export interface BarPlace {
  x: number
  width: number
  /** The baseline. */
  bottom: number
}

/** Height of the box that stands for an unknown count of a day with evidence. */
const UNKNOWN_HEIGHT = 12

const MASKS: Partial<Record<ReturnType<typeof formOf>, string>> = { partial: PATTERN.cuts, sampled: PATTERN.dots }

/** One bar: its parts from the baseline up, with the pattern of the day's evidence. */
export function Bar({
  slot,
  series,
  scale,
  place,
}: {
  slot: Slot
  series: readonly Series[]
  scale: Scale
  place: BarPlace
}) {
  const form = formOf(slot.day)
  if (form === 'gap' && slot.total === null) return null
  const parts = stackOf(slot, scale, place.bottom)
  const top = parts.at(-1)?.y ?? place.bottom
  const mask = MASKS[form]
  const has_cap = slot.total !== null && (form === 'partial' || form === 'sampled' || form === 'today')
  return (
    <g>
      <g {...(mask === undefined ? {} : { mask })}>
        {parts.map(({ index, y, height }) => (
          <Segment
            key={index}
            series={series[index] as Series}
            is_backfill={form === 'backfill'}
            {...{ ...place, y, height }}
          />
        ))}
      </g>
      {slot.total === null && (
        <rect
          {...{ x: place.x, width: place.width }}
          y={place.bottom - UNKNOWN_HEIGHT}
          height={UNKNOWN_HEIGHT}
          fill={PATTERN.gap}
          stroke="var(--color-hatch)"
        />
      )}
      {slot.total === 0 && (
        <rect x={place.x} width={place.width} y={place.bottom - 2} height="2" fill="var(--color-control)" />
      )}
      {has_cap && (
        <path
          d={`M${place.x} ${top - 3.5}h${place.width}`}
          stroke="var(--color-ink)"
          strokeWidth="1.4"
          strokeDasharray="2.5 2"
        />
      )}
    </g>
  )
}

interface SegmentProps {
  series: Series
  is_backfill: boolean
  x: number
  y: number
  width: number
  height: number
}

function Segment({ series, is_backfill, x, y, width, height }: SegmentProps) {
  const has_outline = series.pattern !== undefined || series.outline !== undefined || is_backfill
  if (!has_outline || width < 3 || height < 2) {
    return <rect {...{ x, y, width, height }} fill={series.color} fillOpacity={is_backfill ? 0.5 : 1} />
  }
  return (
    <rect
      x={x + 0.5}
      y={y + 0.5}
      width={width - 1}
      height={Math.max(0.5, height - 1)}
      fill={series.pattern ?? series.color}
      fillOpacity={is_backfill && series.pattern === undefined ? 0.16 : 1}
      stroke={series.outline ?? (series.pattern === undefined ? series.color : 'var(--color-ink2)')}
    />
  )
}

/** Parts have a gap of one pixel if they are high enough. */
export function stackOf(slot: Slot, scale: Scale, bottom: number) {
  let below = bottom
  return slot.counts.flatMap((count, index) => {
    if (count === null || count === 0) return []
    const height = scale.height(count)
    const y = below - height
    below = y
    return [{ index, y, height: height > 3 ? height - 1 : height }]
  })
}
