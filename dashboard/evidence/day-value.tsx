import { type DayEvidence, formOf, reasonWords } from './day.ts'
import { Value, type ValueQuality } from './value.tsx'

/** A number of one day, marked by the evidence of the day. */
export function DayValue({ day, value }: { day: DayEvidence; value: number | null }) {
  const form = formOf(day)
  return <Value value={value} quality={QUALITIES[form]} {...noteOf(day, form)} />
}

const QUALITIES: Record<ReturnType<typeof formOf>, ValueQuality> = {
  complete: 'exact',
  backfill: 'exact',
  partial: 'partial',
  sampled: 'partial',
  today: 'so_far',
  gap: 'exact',
}

function noteOf(day: DayEvidence, form: ReturnType<typeof formOf>): { note?: string } {
  if (form === 'backfill') return { note: reasonWords('backfill', null) }
  if (form !== 'sampled' || day.sampling === null) return {}
  return { note: `1 in ${Math.round(1 / day.sampling)}` }
}
