import { formOf } from '../../evidence/day.ts'
import type { Scale } from '../scales.ts'
import type { Series, Slot } from '../series.ts'
import { Bar, type BarPlace, stackOf } from './bars.tsx'

interface BarsProps {
  slots: readonly Slot[]
  series: readonly Series[]
  scale: Scale
  place: (index: number) => BarPlace
}

/** Above this number of days, the plain bars of one series are one path, so that a year needs few elements. */
const MERGED_FROM = 120

export function Bars({ slots, series, scale, place }: BarsProps) {
  const placed = slots.map((slot, index) => ({ slot, place: place(index) }))
  const [merged, single] = slots.length > MERGED_FROM ? partition(placed) : [[], placed]
  return (
    <g>
      {merged.length > 0 &&
        series.map((one, index) => (
          <path key={one.key} d={pathOf(merged, index, scale)} fill={one.pattern ?? one.color} />
        ))}
      {merged.length > 0 && <path d={ticksOf(merged)} fill="var(--color-control)" />}
      {single.map((one) => (
        <Bar key={one.slot.from} {...{ series, scale, ...one }} />
      ))}
    </g>
  )
}

interface PlacedSlot {
  slot: Slot
  place: BarPlace
}

/** Complete days, whose bars have no pattern, and the others. */
const partition = (all: readonly PlacedSlot[]): [PlacedSlot[], PlacedSlot[]] => [
  all.filter(({ slot }) => formOf(slot.day) === 'complete'),
  all.filter(({ slot }) => formOf(slot.day) !== 'complete'),
]

/** Marks of observed days without a request. */
const ticksOf = (merged: readonly PlacedSlot[]): string =>
  merged
    .filter(({ slot }) => slot.total === 0)
    .map(({ place: { x, width, bottom } }) => `M${round(x)} ${bottom - 2}h${round(width)}v2h-${round(width)}z`)
    .join('')

/** The parts of one series in all bars. */
const pathOf = (merged: readonly PlacedSlot[], series_index: number, scale: Scale): string =>
  merged
    .map(({ slot, place: { x, width, bottom } }) => {
      const part = stackOf(slot, scale, bottom).find(({ index }) => index === series_index)
      if (part === undefined) return ''
      return `M${round(x)} ${round(part.y)}h${round(width)}v${round(part.height)}h-${round(width)}z`
    })
    .join('')

const round = (value: number) => Math.round(value * 100) / 100
