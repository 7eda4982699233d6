import type { TrackerCoverage } from '../../../src/contract/dashboard-api/index.ts'
import { Badge } from '../../controls/badge.tsx'
import { DayTrack } from '../../evidence/day-track.tsx'
import { daysOfTracker } from '../../evidence/tracker-days.ts'
import { FirstEvent, type Tracker } from '../../states/install-panel.tsx'
import { Panel, PanelBody } from '../../states/panel.tsx'
import { ageText, dayText, instantText } from '../../words/days.ts'
import { OPERATIONAL_WORDS, operationSentence } from '../../words/tracker.ts'

type State = TrackerCoverage['operational']['state']
const TONES: Record<State, 'ok' | 'warn' | 'bad' | 'plain'> = {
  not_set_up: 'plain',
  connecting: 'warn',
  live: 'ok',
  needs_attention: 'bad',
  disabled: 'plain',
}

interface StatePanelProps {
  tracker: Tracker
  /** undefined: it is being read; null: it could not be read. */
  coverage: TrackerCoverage | null | undefined
}

/** One sentence about the collection, its last event, and the days of the window. */
export function StatePanel({ tracker, coverage: read }: StatePanelProps) {
  const { last_event_at } = tracker
  const coverage = read ?? undefined
  const first = coverage?.days[0]
  return (
    <Panel
      title="Collection"
      note={
        coverage !== undefined && (
          <Badge tone={TONES[coverage.operational.state]}>{OPERATIONAL_WORDS[coverage.operational.state]}</Badge>
        )
      }
    >
      <PanelBody>
        <div className="space-y-6">
          {read === null && (
            <p className="text-ink2">Whether events arrive could not be read. It is unknown for now.</p>
          )}
          {coverage !== undefined && <p>{operationSentence(coverage.operational)}</p>}
          {(tracker.state === 'enabled' || tracker.first_event_at !== null) && <FirstEvent tracker={tracker} />}
          {last_event_at !== null && (
            <p>
              Last event at {instantText(last_event_at)} UTC
              {coverage !== undefined &&
                `, ${ageText(last_event_at, coverage.as_of)} before ${instantText(coverage.as_of)} UTC`}
              .
            </p>
          )}
          {coverage !== undefined && first !== undefined && (
            <div>
              <DayTrack days={daysOfTracker(coverage)} width={720} />
              <p className="mt-2 flex justify-between text-small text-ink3">
                <span>{dayText(first.date)}</span>
                <span>today</span>
              </p>
            </div>
          )}
        </div>
      </PanelBody>
    </Panel>
  )
}
