import { useQuery } from '@tanstack/react-query'
import { ISSUE_STATES } from '../../../src/contract/vocabulary.ts'
import { PageLink } from '../../controls/page-link.tsx'
import { readQuery } from '../../read/queries.ts'
import { useSiteId } from '../../read/use-report.ts'
import { useKeptSearch } from '../../shell/kept-search.ts'
import { Async, SkeletonRows } from '../../states/async.tsx'
import { IssueStateBadge } from '../../states/issue-badges.tsx'
import { Panel, PanelBody } from '../../states/panel.tsx'
import { shortText } from '../../words/foreign-text.ts'

/**
 * Harm that is observed on the page now. Harm below a common prefix is another kind of issue, which is not listed here.
 */
export function IssuesOfPage({ host, path }: { host: string; path: string }) {
  const site = useSiteId()
  const kept = useKeptSearch()('/sites/$site/issues/$issue')
  const query = useQuery(readQuery('listIssues', { site, state: [...ISSUE_STATES], limit: 50 }))
  return (
    <Panel title="Issues">
      <Async query={query} skeleton={<SkeletonRows rows={1} />}>
        {({ issues, truncated }) => {
          const of_page = issues.filter((issue) => issue.host === host && issue.path === path)
          return (
            <PanelBody>
              {of_page.length === 0 ? (
                <p className="text-ink2">
                  {truncated ? 'None of the 50 worst issues names this page.' : 'No issue of the site names this page.'}
                </p>
              ) : (
                <ul className="space-y-6">
                  {of_page.map(({ id, title, state }) => (
                    <li key={id} className="space-y-2">
                      <IssueStateBadge state={state} />
                      <PageLink
                        to="/sites/$site/issues/$issue"
                        params={{ site, issue: id }}
                        search={kept}
                        className="link block"
                      >
                        {shortText(title)}
                      </PageLink>
                    </li>
                  ))}
                </ul>
              )}
            </PanelBody>
          )
        }}
      </Async>
    </Panel>
  )
}
