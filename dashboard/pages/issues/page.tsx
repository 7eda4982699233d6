import { useQuery } from '@tanstack/react-query'
import type { IssueList } from '../../../src/contract/dashboard-api/index.ts'
import { PageLink } from '../../controls/page-link.tsx'
import { Segments } from '../../controls/segments.tsx'
import { readQuery } from '../../read/queries.ts'
import type { Search } from '../../read/search.ts'
import { useReportSearch, useSiteId } from '../../read/use-report.ts'
import { useKeptSearch } from '../../shell/kept-search.ts'
import { Async, SkeletonRows } from '../../states/async.tsx'
import { isBehindLast, NoMoreRows } from '../../states/no-more-rows.tsx'
import { Panel } from '../../states/panel.tsx'
import { ReportPage } from '../../states/report-page.tsx'
import { counted, fullCount } from '../../words/numbers.ts'
import { ImpostorRefusals } from './impostor-refusals.tsx'
import { IntendedMarks } from './intended-marks.tsx'
import { IssueRow } from './issue-row.tsx'
import { NoIssues } from './no-issues.tsx'
import { FEW, listInput, MANY, TAB_KEYS, TABS, type TabKey, tabOf } from './tabs.ts'

/** What harms crawlers? */
export function IssuesPage() {
  const site = useSiteId()
  const search = useReportSearch()
  const query = useQuery(readQuery('listIssues', listInput(site, search)))
  const tab = tabOf(search)
  return (
    <ReportPage title="Issues" metas={[]} can_save={false} filters={<Tabs tab={tab} counts={query.data?.counts} />}>
      <Panel title="Observed harm" note={query.data && counted(query.data.total_count, 'issue')}>
        <Async query={query} skeleton={<SkeletonRows rows={4} height={64} />}>
          {(answer) => (
            <>
              <Rows answer={answer} tab={tab} />
              <Foot answer={answer} search={search} />
            </>
          )}
        </Async>
      </Panel>
      {query.data !== undefined && (
        <>
          <ImpostorRefusals rows={query.data.impostor_refusals} />
          <IntendedMarks />
        </>
      )}
    </ReportPage>
  )
}

function Rows({ answer, tab }: { answer: IssueList; tab: TabKey }) {
  if (answer.issues.length > 0) {
    return (
      <ul>
        {answer.issues.map((issue) => (
          <IssueRow key={issue.id} issue={issue} />
        ))}
      </ul>
    )
  }
  if (!isBehindLast(answer)) return <NoIssues tab={tab} />
  return (
    <p className="px-8 pb-8 text-ink2">
      <NoMoreRows what="issues" />
    </p>
  )
}

function Tabs({ tab, counts }: { tab: TabKey; counts: IssueList['counts'] | undefined }) {
  const kept = useKeptSearch()('/sites/$site/issues')
  const items = TAB_KEYS.map((key) => {
    const states: readonly string[] = TABS[key].states
    const count = counts?.filter(({ state }) => states.includes(state)).reduce((sum, { issues }) => sum + issues, 0)
    const label = count === undefined ? TABS[key].label : `${TABS[key].label} ${fullCount(count)}`
    return { key, label, search: key === 'current' ? kept : { ...kept, group: key } }
  })
  return <Segments label="State" items={items} current={tab} />
}

/** "Showing 8 of 23", then all of them at most fifty at a time. */
function Foot({ answer, search }: { answer: IssueList; search: Search }) {
  const kept = useKeptSearch()('/sites/$site/issues')
  if (answer.issues.length === 0) return null
  const { offset, returned_count, total_count, truncated, limit } = answer
  const { group } = search
  const base = group === undefined ? kept : { ...kept, group }
  const many = { ...base, limit: String(MANY) }
  const is_all = offset === 0 && !truncated
  return (
    <div className="flex flex-wrap items-center justify-between gap-6 border-t border-line px-8 py-6 text-dense text-ink2 max-tablet:px-6">
      <span>
        {is_all
          ? `Showing all ${fullCount(total_count)}`
          : `Showing ${fullCount(offset + 1)} to ${fullCount(offset + returned_count)} of ${fullCount(total_count)}`}
      </span>
      <span className="flex gap-8">
        {offset > 0 && (
          <PageLink to="." search={{ ...many, ...(offset > MANY ? { offset: String(offset - MANY) } : {}) }}>
            Show earlier
          </PageLink>
        )}
        {truncated && (
          <PageLink to="." search={limit === FEW ? many : { ...many, offset: String(offset + returned_count) }}>
            Show more
          </PageLink>
        )}
      </span>
    </div>
  )
}
