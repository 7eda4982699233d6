import type { UseQueryResult } from '@tanstack/react-query'
import type { AnalyticsOverview } from '../../../src/contract/site-api/index.ts'
import { Value } from '../../evidence/value.tsx'
import { Async, SkeletonRows } from '../../states/async.tsx'
import { Panel, PanelBody } from '../../states/panel.tsx'

const ROWS = [
  ['bots', 'Bots'],
  ['refused', 'Refused'],
  ['repeats', 'Repeats of an earlier event'],
  ['opted_out', 'Visitors who opted out'],
] as const satisfies readonly (readonly [keyof AnalyticsOverview['excluded'], string])[]

/** Events that no other number of the page includes. */
export const ExcludedPanel = ({ overview }: { overview: UseQueryResult<AnalyticsOverview> }) => (
  <Panel title="Not counted" note="events">
    <Async query={overview} skeleton={<SkeletonRows rows={4} />}>
      {(answer) => <Excluded answer={answer} />}
    </Async>
  </Panel>
)

export function Excluded({ answer: { excluded, missing_events } }: { answer: AnalyticsOverview }) {
  return (
    <PanelBody>
      <ul>
        {ROWS.map(([key, label]) => (
          <li key={key} className="flex justify-between gap-6 py-3">
            {label}
            <Value value={excluded[key]} />
          </li>
        ))}
      </ul>
      {missing_events.refused !== null && missing_events.refused > 0 && (
        <p className="mt-3 text-small text-ink2">
          <Value value={missing_events.refused} /> of the refused ones came from your own pages and are missing from the
          numbers marked ≥.
        </p>
      )}
    </PanelBody>
  )
}
