import { useCoverage } from '../../states/report-page.tsx'
import { counted, fullCount } from '../../words/numbers.ts'
import type { TabKey } from './tabs.ts'

/** That no issue was found is a statement about the covered days only. */
export function NoIssues({ tab }: { tab: TabKey }) {
  const { query, days } = useCoverage()
  if (tab === 'ended') return <Words>No issue has ended yet.</Words>
  if (tab !== 'current') return <Words>No issue is in this state.</Words>
  if (query.data?.meta.coverage_state === 'unknown') {
    return <Words>No source covered this window, so whether crawlers are harmed is unknown.</Words>
  }
  if (days === null) {
    return (
      <Words>
        No harm was observed.{query.isError && ' How much of this window was watched is unknown: it could not be read.'}
      </Words>
    )
  }
  const full = days.filter(({ state }) => state === 'complete').length
  return (
    <Words>
      No harm was observed. That covers {fullCount(full)} of {counted(days.length, 'day')}
      {full === days.length ? '.' : '; the other days are unknown.'}
    </Words>
  )
}

const Words = ({ children }: { children: React.ReactNode }) => <p className="px-8 pb-8 text-ink2">{children}</p>
