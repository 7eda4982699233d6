import { Drawer } from '../forms/dialog.tsx'
import { weekdayText } from '../words/days.ts'
import { counted } from '../words/numbers.ts'
import { FRESHNESS_WORDS, limitationSentence, operationSentence } from '../words/tracker.ts'
import { DayTrack } from './day-track.tsx'
import { daysOfTracker, type TrackerDay } from './tracker-days.ts'
import type { TrackerEnvelope } from './tracker-sentences.ts'

interface TrackerDrawerProps {
  meta: TrackerEnvelope
  days: readonly TrackerDay[] | null
  onClose: () => void
}

/** Every day that was not collected in full with its reason, and the limitations of the window. */
export default function TrackerDrawer({ meta, days, onClose }: TrackerDrawerProps) {
  return (
    <Drawer title="What was collected" is_open onClose={onClose}>
      <TrackerDetail meta={meta} days={days} />
    </Drawer>
  )
}

export function TrackerDetail({ meta, days }: Omit<TrackerDrawerProps, 'onClose'>) {
  const { limitations } = meta.completeness
  return (
    <div className="space-y-12">
      <section className="space-y-4">
        <h3 className="text-small text-ink3">Collection</h3>
        <p>{operationSentence(meta.operational)}</p>
        <p className="text-ink2">
          Evidence is {FRESHNESS_WORDS[meta.freshness.state]}
          {meta.freshness.limitations.map((code) => `. ${limitationSentence(code).replace(/\.$/, '')}`).join('')}.
        </p>
      </section>
      {days !== null && (
        <section className="space-y-4">
          <h3 className="text-small text-ink3">Days, UTC</h3>
          <DayTrack days={daysOfTracker({ days: [...days], as_of: meta.as_of })} />
          <IncompleteDays days={days} />
        </section>
      )}
      {limitations.length > 0 && (
        <section>
          <h3 className="mb-3 text-small text-ink3">Limitations of the window</h3>
          <ul>
            {limitations.map((code) => (
              <li key={code} className="border-t border-line py-4">
                {limitationSentence(code)}
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

/** Newest first; the days before the first event are one entry. */
export function IncompleteDays({ days, max = 40 }: { days: readonly TrackerDay[]; max?: number }) {
  const incomplete = days.filter(({ limitation }) => limitation !== null && limitation !== 'before_first_event')
  const before = days.filter(({ limitation }) => limitation === 'before_first_event').length
  const shown = incomplete.toReversed().slice(0, max)
  return (
    <ul className="text-dense">
      {shown.map(({ date, limitation }) => (
        <li key={date} className="grid grid-cols-[5.5rem_1fr] gap-6 border-t border-line py-4 first:border-t-0">
          <span className="text-ink2">{weekdayText(date)}</span>
          <span>{limitation !== null && limitationSentence(limitation)}</span>
        </li>
      ))}
      {incomplete.length > shown.length && (
        <li className="border-t border-line py-4 text-ink2">
          And {counted(incomplete.length - shown.length, 'more day')}.
        </li>
      )}
      {before > 0 && (
        <li className="border-t border-line py-4 text-ink2 first:border-t-0">
          {counted(before, 'day')} before the first event.
        </li>
      )}
      {incomplete.length === 0 && before === 0 && <li className="text-ink2">Every day was collected in full.</li>}
    </ul>
  )
}
