import { formOf } from '../evidence/day.ts'
import { Bar, type BarPlace, stackOf } from './bars.tsx'
import type { Scale } from './scales.ts'
import type { Series, Slot } from './series.ts'

interface BarsProps {
  slots: readonly Slot[]
  series: readonly Series[]
  scale: Scale
  place: (index: number) => BarPlace
}

/** Above this number of days, the plain bars of one series are one path, so that a year needs few elements. */
const MERGED_FROM = 120

export function Bars({ slots, series, scale, place }: BarsProps) {
  const is_merged = slots.length > MERGED_FROM
  const isPlain = (slot: Slot) => is_merged && formOf(slot.day) === 'complete'
  return (
    <g>
      {is_merged &&
        series.map((one, index) => (
          <path key={one.key} d={pathOf(slots, index, isPlain, scale, place)} fill={one.pattern ?? one.color} />
        ))}
      {is_merged && <path d={ticksOf(slots, isPlain, place)} fill="var(--color-control)" />}
      {slots.map((slot, index) =>
        isPlain(slot) ? null : <Bar key={slot.from} {...{ slot, series, scale }} place={place(index)} />,
      )}
    </g>
  )
}

/** Marks of observed days without a request. */
const ticksOf = (slots: readonly Slot[], isPlain: (slot: Slot) => boolean, place: BarsProps['place']): string =>
  slots
    .map((slot, index) => {
      if (slot.total !== 0 || !isPlain(slot)) return ''
      const { x, width, bottom } = place(index)
      return `M${round(x)} ${bottom - 2}h${round(width)}v2h-${round(width)}z`
    })
    .join('')

function pathOf(
  slots: readonly Slot[],
  series_index: number,
  isPlain: (slot: Slot) => boolean,
  scale: Scale,
  place: (index: number) => BarPlace,
): string {
  return slots
    .map((slot, index) => {
      if (!isPlain(slot)) return ''
      const { x, width, bottom } = place(index)
      const part = stackOf(slot, scale, bottom).find(({ index: of_part }) => of_part === series_index)
      return part === undefined
        ? ''
        : `M${round(x)} ${round(part.y)}h${round(width)}v${round(part.height)}h-${round(width)}z`
    })
    .join('')
}

const round = (value: number) => Math.round(value * 100) / 100
