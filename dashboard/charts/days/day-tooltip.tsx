import { evidenceWords, formOf } from '../../evidence/day.ts'
import { DayFormMark } from '../../evidence/day-cell.tsx'
import { Value } from '../../evidence/value.tsx'
import { TooltipRow, TooltipTitle } from '../chart-tooltip.tsx'
import { SeriesMark } from '../mark.tsx'
import type { Series, Slot } from '../series.ts'
import { slotTitle } from '../slot-words.ts'

interface DayTooltipProps {
  slot: Slot
  series: readonly Series[]
  /** The word for the sum of a day; null if a sum has no meaning. */
  total_label: string | null
  highlighted: number | null
}

/** Rows in stacking order, top first, then the sum and the evidence of the day. */
export function DayTooltip({ slot, series, total_label, highlighted }: DayTooltipProps) {
  const rows = series.map((one, index) => ({ one, index, count: slot.counts[index] ?? null })).toReversed()
  return (
    <>
      <TooltipTitle note="UTC">{slotTitle(slot)}</TooltipTitle>
      {slot.total !== null &&
        rows.map(({ one, index, count }) => (
          <TooltipRow
            key={one.key}
            mark={<SeriesMark series={one} />}
            label={one.label}
            value={<Value value={count} />}
            is_strong={highlighted === index}
          />
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
    </>
  )
}
