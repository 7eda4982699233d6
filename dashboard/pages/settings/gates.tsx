import { useQuery } from '@tanstack/react-query'
import { Badge } from '../../controls/badge.tsx'
import { Button } from '../../controls/button.tsx'
import { FormError } from '../../forms/form-error.tsx'
import { readQuery } from '../../read/queries.ts'
import { useChange } from '../../read/use-change.ts'
import { useSiteId } from '../../read/use-report.ts'
import { announce } from '../../shell/announce.tsx'
import { useMay } from '../../shell/use-may.ts'
import { Async, SkeletonRows } from '../../states/async.tsx'
import { Panel } from '../../states/panel.tsx'
import { instantText } from '../../words/days.ts'
import { gateWords } from '../../words/gates.ts'
import { counted } from '../../words/numbers.ts'
import { AuthorityPanel } from './authority-panel.tsx'
import { SiteSettings } from './site-settings.tsx'

/** How many hosts were assigned when the authority gate was opened. */
const assignedWords = (hosts: number): string =>
  hosts === 0 ? '' : ` ${counted(hosts, 'host was', 'hosts were')} assigned to the sources that counted them.`

/** Which reports are available, and which source counts which host? */
export default function GatesPage() {
  const site = useSiteId()
  const may = useMay()
  const gates = useQuery(readQuery('gate.list', { site }))
  const set = useChange('gate.set', {
    onDone: ({ name, is_open, assigned }) =>
      announce(`${gateWords(name, '').label} is ${is_open ? 'open' : 'closed'} now.${assignedWords(assigned.length)}`),
    // A gate may change the answers of every report.
    changes: [
      'gate.list',
      'authority.list',
      'getSources',
      'getCoverage',
      'getPerformance',
      'getCrawlers',
      'getTopPages',
      'getAnalyticsOverview',
      'getAnalyticsEvents',
      'getAnalyticsSources',
      'getAnalyticsPages',
      'getAnalyticsConversions',
      'getAnalyticsFunnels',
      'getAnalyticsFunnel',
      'getAnalyticsJourneys',
      'getAnalyticsRevenue',
      'getTrackerCoverage',
    ],
  })
  return (
    <SiteSettings title="Gates and authority">
      <Panel title="Gates" note="Switches that turn reports on and off">
        {set.error !== null && (
          <div className="px-8 pb-4">
            <FormError error={set.error} />
          </div>
        )}
        <Async query={gates} skeleton={<SkeletonRows rows={10} height={62} />}>
          {(answer) => (
            <ul>
              {answer.gates.map(({ name, is_open, about, changed_at }) => {
                const words = gateWords(name, about)
                return (
                  <li
                    key={name}
                    className="flex flex-wrap items-center justify-between gap-x-8 gap-y-3 border-t border-line px-8 py-5 max-tablet:px-6"
                  >
                    <span className="min-w-0 tablet:max-w-320">
                      <span className="font-medium">{words.label}</span>{' '}
                      <code className="font-mono text-code text-ink3">{name}</code>
                      <span className="block text-dense text-ink2">{words.about}</span>
                      {changed_at !== null && (
                        <span className="block text-small text-ink3">changed {instantText(changed_at)} UTC</span>
                      )}
                    </span>
                    <span className="flex items-center gap-6">
                      <Badge tone={is_open ? 'ok' : 'plain'}>{is_open ? 'Open' : 'Closed'}</Badge>
                      <Button
                        forbidden={may.own}
                        aria-label={`${is_open ? 'Close' : 'Open'} ${words.label}`}
                        onClick={() => set.mutate({ site, gate: name, is_open: !is_open })}
                      >
                        {is_open ? 'Close' : 'Open'}
                      </Button>
                    </span>
                  </li>
                )
              })}
            </ul>
          )}
        </Async>
      </Panel>
      <AuthorityPanel />
    </SiteSettings>
  )
}
