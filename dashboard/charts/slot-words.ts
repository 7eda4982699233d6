import { evidenceWords } from '../evidence/day.ts'
import { longDayText, spanText, weekdayText } from '../words/days.ts'
import { fullCount } from '../words/numbers.ts'
import type { Series, Slot } from './series.ts'

/** "Sun 8 Nov", or "2–8 Nov" for a week. */
export const slotTitle = ({ from, to }: Slot) => (from === to ? weekdayText(from) : spanText(from, to))

/** "8 November, Assistant 332, Search 273, watched 11 h 20 min of 24 h"; with one series, only that one. */
export function slotSentence(slot: Slot, series: readonly Series[], only: number | null = null): string {
  const title = slot.from === slot.to ? longDayText(slot.from) : spanText(slot.from, slot.to)
  const counts = series.flatMap(({ label }, index) => {
    const count = slot.counts[index] ?? null
    return only !== null && only !== index ? [] : [`${label} ${count === null ? 'unknown' : fullCount(count)}`]
  })
  const total = slot.total === null ? ['unknown'] : counts
  return [title, ...total, evidenceWords(slot.day)].join(', ')
}
