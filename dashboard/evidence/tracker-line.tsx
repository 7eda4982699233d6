import type { ReactNode } from 'react'
import { ClockIcon } from '../controls/icons.tsx'
import { LineFrame, LineWithoutEvidence, Part } from './evidence-line.tsx'
import { EvidenceGlyph } from './glyph.tsx'
import type { TrackerDay } from './tracker-days.ts'
import { type TrackerEnvelope, trackerSentences } from './tracker-sentences.ts'

interface TrackerLineProps {
  /** null while it is being read. */
  meta: TrackerEnvelope | null
  days: readonly TrackerDay[] | null
  /** In place of "Tracker evidence", such as "Lower bound". */
  name?: string | undefined
  /** Nothing about the evidence could be read. */
  has_failed?: boolean
  onOpenDays?: (() => void) | undefined
}

/**
 * How complete the evidence of a page about visitors is: measurement, freshness and gaps. It never claims all visitors.
 */
export function TrackerLine({ meta, days, name, has_failed = false, onOpenDays }: TrackerLineProps) {
  if (meta === null) return <LineWithoutEvidence has_failed={has_failed} />
  const words = trackerSentences(meta, days, name)
  return (
    <LineFrame
      as_of={meta.as_of}
      end={
        <>
          {words.stale !== null && <ClockIcon className="mr-2 inline h-6 w-6 align-[-2px] text-warn" />}
          {[words.stale === null ? words.through : `${words.through}, ${words.stale}`, words.as_of].join(' · ')}
        </>
      }
    >
      <span className="inline-flex items-center gap-4 font-strong">
        <EvidenceGlyph state={words.state} />
        {words.name}
      </span>
      {words.state === 'unknown' && <Part>Every number is unknown, not zero.</Part>}
      {[words.collected, words.missing].map(
        (part) =>
          part !== null && (
            <Part key={part.linked}>
              <DaysButton onOpen={onOpenDays}>{part.linked}</DaysButton>
              {part.rest}
            </Part>
          ),
      )}
      {words.state !== 'unknown' && words.limitations.length > 0 && (
        <Part>
          <DaysButton onOpen={onOpenDays}>
            {words.limitations.length === 1 ? '1 limitation' : `${words.limitations.length} limitations`}
          </DaysButton>
        </Part>
      )}
    </LineFrame>
  )
}

const DaysButton = ({ children, onOpen }: { children: ReactNode; onOpen: (() => void) | undefined }) =>
  onOpen === undefined ? (
    children
  ) : (
    <button type="button" className="link text-left" onClick={onOpen}>
      {children}
    </button>
  )
