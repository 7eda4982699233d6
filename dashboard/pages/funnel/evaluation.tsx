import type { Funnel } from '../../charts/funnel/funnel-steps.ts'
import { DayTrack } from '../../evidence/day-track.tsx'
import { IncompleteDays } from '../../evidence/tracker-drawer.tsx'
import { Async, SkeletonRows } from '../../states/async.tsx'
import { Panel, PanelBody } from '../../states/panel.tsx'
import { useTrackerCoverage } from '../../states/tracker-page.tsx'
import { dayText } from '../../words/days.ts'
import { limitationSentence } from '../../words/tracker.ts'

type Coverage = Funnel['evaluation_coverage']

/** The days on which events are missing, and what else makes the numbers lower bounds. */
export function WhyAtLeast({ funnel: { evaluation_coverage } }: { funnel: Funnel }) {
  const { query, days } = useTrackerCoverage()
  const of_days = new Set(query.data?.days.flatMap(({ limitation }) => (limitation === null ? [] : [limitation])))
  const others = evaluation_coverage.limitations.filter((code) => !of_days.has(code))
  const first = days?.[0]
  return (
    <Panel title="Why “at least”">
      <PanelBody>
        <Async query={query} skeleton={<SkeletonRows rows={2} />}>
          {(coverage) => (
            <>
              {days !== null && <DayTrack days={days} />}
              <p className="mt-2 mb-4 flex justify-between text-small text-ink3">
                <span>{first !== undefined && dayText(first.date)}</span>
                <span>today</span>
              </p>
              <IncompleteDays days={coverage.days} max={6} />
            </>
          )}
        </Async>
        {others.length > 0 && (
          <ul className="text-dense">
            {others.map((code) => (
              <li key={code} className="border-t border-line py-4">
                {limitationSentence(code)}
              </li>
            ))}
          </ul>
        )}
      </PanelBody>
    </Panel>
  )
}

const PARTS: readonly [Exclude<keyof Coverage, 'gaps' | 'limitations' | 'state'>, string][] = [
  ['raw_events', 'Raw events'],
  ['core_collection', 'Core collection'],
  ['conversion_steps', 'Conversion steps'],
  ['session_integrity', 'Session integrity'],
  ['event_order', 'Event order'],
]

/** What the numbers were made from, part by part. */
export const EvaluationPanel = ({ coverage }: { coverage: Coverage }) => (
  <Panel title="Evaluation">
    <PanelBody>
      <dl>
        {PARTS.map(([part, label]) => (
          <div key={part} className="flex justify-between gap-6 py-3 text-dense">
            <dt>{label}</dt>
            <dd className="text-ink2">{coverage[part].replaceAll('_', ' ')}</dd>
          </div>
        ))}
      </dl>
    </PanelBody>
  </Panel>
)
