import { evidenceWords, formOf } from '../evidence/day.ts'
import { DayFormMark } from '../evidence/day-cell.tsx'
import { Value } from '../evidence/value.tsx'
import { SeriesMark } from './mark.tsx'
import type { Series, Slot } from './series.ts'
import { slotTitle } from './slot-words.ts'

interface ChartTooltipProps {
  slot: Slot
  series: readonly Series[]
  total_label: string | null
  highlighted: number | null
  /** The middle of the bar. */
  middle: number
  width: number
  /** Above the chart, or below it where there is no room above. It never covers a bar. */
  is_below: boolean
}

const WIDTH = 216

/** Rows in stacking order, top first, then the sum and what is known about the day. Not the only place of any fact. */
export function ChartTooltip({ slot, series, total_label, highlighted, middle, width, is_below }: ChartTooltipProps) {
  const left = Math.max(0, Math.min(middle - WIDTH / 2, width - WIDTH))
  const rows = series.map((one, index) => ({ one, index, count: slot.counts[index] ?? null })).toReversed()
  return (
    <div
      aria-hidden="true"
      className={`absolute z-20 w-108 rounded-control border border-control bg-panel px-5 py-4 text-small shadow-layer ${is_below ? 'top-full' : 'bottom-full'}`}
      // The pointer on it stays with its day.
      onPointerMove={(event) => event.stopPropagation()}
      style={{ left }}
    >
      <p className="mb-2 font-strong">
        {slotTitle(slot)} <span className="font-normal text-ink3">UTC</span>
      </p>
      {slot.total !== null &&
        rows.map(({ one, index, count }) => (
          <p key={one.key} className={`flex items-center gap-4 py-1 ${highlighted === index ? 'font-strong' : ''}`}>
            <SeriesMark series={one} />
            <span className="truncate">{one.label}</span>
            <span className="ml-auto">
              <Value value={count} />
            </span>
          </p>
        ))}
      {total_label !== null && (series.length > 1 || slot.total === null) && (
        <p className="mt-2 flex gap-4 border-t border-line pt-3 font-strong">
          {total_label}
          <span className="ml-auto">
            <Value value={slot.total} />
          </span>
        </p>
      )}
      <p className="mt-2 flex items-center gap-4 text-ink2">
        <DayFormMark form={formOf(slot.day)} />
        {evidenceWords(slot.day)}
      </p>
    </div>
  )
}
