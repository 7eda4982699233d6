import type { IssueList } from '../../../src/contract/dashboard-api/index.ts'
import { PageLink } from '../../controls/page-link.tsx'
import { useSiteId } from '../../read/use-report.ts'
import { useKeptSearch } from '../../shell/kept-search.ts'
import { IssueReason, IssueStateBadge } from '../../states/issue-badges.tsx'
import { ROW_LINK } from '../../tables/path-text.tsx'
import { instantText } from '../../words/days.ts'
import { visibleText } from '../../words/foreign-text.ts'

/** What was observed, its probable cause, and how certain the cause is. */
export function IssueRow({ issue }: { issue: IssueList['issues'][number] }) {
  const site = useSiteId()
  const keptFor = useKeptSearch()
  return (
    <li className="relative space-y-3 border-t border-line px-8 py-6 hover:bg-sunken/50 max-tablet:px-6">
      <PageLink
        to="/sites/$site/issues/$issue"
        params={{ site, issue: issue.id }}
        search={keptFor('/sites/$site/issues/$issue')}
        className={`${ROW_LINK} block font-medium [overflow-wrap:anywhere]`}
      >
        {visibleText(issue.title)}
      </PageLink>
      <p className="flex flex-wrap items-center gap-x-4 gap-y-3 text-small text-ink2">
        <IssueStateBadge state={issue.state} is_confirmed={issue.fix_confirmed_at !== null} />
        <IssueReason issue={issue} />
        <span>detected {instantText(issue.detected_at)} UTC</span>
        {issue.fix_confirmed_at !== null && <span>confirmed {instantText(issue.fix_confirmed_at)} UTC</span>}
      </p>
    </li>
  )
}
