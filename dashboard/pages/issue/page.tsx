import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { CodeBlock } from '../../controls/code-block.tsx'
import { PageLink } from '../../controls/page-link.tsx'
import { WindowPicker } from '../../controls/window-picker.tsx'
import type { ReadOutput } from '../../read/operations.ts'
import { readQuery } from '../../read/queries.ts'
import { useSiteId } from '../../read/use-report.ts'
import { useKeptSearch } from '../../shell/kept-search.ts'
import { Async, SkeletonRows } from '../../states/async.tsx'
import { IssueReason, IssueStateBadge } from '../../states/issue-badges.tsx'
import { Panel, PanelBody } from '../../states/panel.tsx'
import { PanelColumn, PanelColumns, ReportPage } from '../../states/report-page.tsx'
import { shortText, visibleLines, visibleText } from '../../words/foreign-text.ts'
import { HARM_WORDS } from '../../words/issues.ts'
import { Evidence } from './evidence.tsx'
import { HarmedPaths } from './harmed-paths.tsx'
import { LastInspection } from './last-inspection.tsx'
import { MarkIntended } from './mark-intended.tsx'
import { pageOf } from './page-of.ts'
import { PageOfIssue } from './page-of-issue.tsx'
import { Timeline } from './timeline.tsx'
import { VerifyNow } from './verify-now.tsx'
import { WhoWasRefused } from './who-was-refused.tsx'

export type ShownIssue = ReadOutput<'issue.show'>

/** What was observed, what caused it, and what would confirm a fix? */
export function IssuePage() {
  const site = useSiteId()
  const { issue: id } = useParams({ strict: false }) as { issue: string }
  const keptFor = useKeptSearch()
  const query = useQuery({
    ...readQuery('issue.show', { site, issue: id }),
    refetchInterval: ({ state }) => (isBeingVerified(state.data) ? VERIFYING_MS : false),
  })
  const shown = query.data
  return (
    <ReportPage
      title={shown === undefined ? 'Issue' : shortText(shown.issue.title)}
      heading={
        <span className="[overflow-wrap:anywhere]">
          {shown === undefined ? (
            <span className="block min-h-28 max-tablet:min-h-56">Issue</span>
          ) : (
            visibleText(shown.issue.title)
          )}
        </span>
      }
      is_long
      above={
        <PageLink
          to="/sites/$site/issues"
          params={{ site }}
          search={keptFor('/sites/$site/issues')}
          className="hover:underline"
        >
          Issues
        </PageLink>
      }
      controls={
        <>
          <WindowPicker />
          {shown === undefined ? ROOM_FOR_ACTIONS : <Actions shown={shown} />}
        </>
      }
      filters={shown === undefined ? ROOM_FOR_FACTS : <Facts shown={shown} />}
      metas={[]}
    >
      <Async
        query={query}
        skeleton={
          <Panel title="Evidence">
            <SkeletonRows rows={6} />
          </Panel>
        }
      >
        {(read) => <Blocks shown={read} />}
      </Async>
    </ReportPage>
  )
}

const VERIFYING_MS = 5_000

/** Whether the result of an inspection that an owner requested is still to come. */
export const isBeingVerified = (shown: Pick<ShownIssue, 'inspections'> | undefined): boolean =>
  shown?.inspections.some(
    ({ reason, state, obstacle }) =>
      reason === 'verify' && (state === 'running' || (state === 'queued' && obstacle === null)),
  ) === true

/** As high as most of what is read, so that nothing moves when it is. */
const ROOM_FOR_ACTIONS = <span className="h-16 w-full touch:h-22 tablet:hidden" />
const ROOM_FOR_FACTS = <div className="h-34 max-tablet:h-65" />

function Blocks({ shown }: { shown: ShownIssue }) {
  const { issue } = shown
  return (
    <PanelColumns>
      <PanelColumn>
        <PageOfIssue shown={shown} />
        <Evidence shown={shown} />
        {shown.path_count > 1 && <HarmedPaths shown={shown} />}
        {issue.fix_prompt !== null && (
          <Panel title="Fix prompt" note="for a person or an assistant who changes the site">
            <PanelBody>
              <CodeBlock text={visibleLines(issue.fix_prompt)} />
            </PanelBody>
          </Panel>
        )}
      </PanelColumn>
      <PanelColumn>
        <Panel title="State">
          <PanelBody>
            <Timeline shown={shown} />
          </PanelBody>
        </Panel>
        <LastInspection shown={shown} />
        <WhoWasRefused shown={shown} />
      </PanelColumn>
    </PanelColumns>
  )
}

const Actions = ({ shown }: { shown: ShownIssue }) => (
  <>
    <MarkIntended shown={shown} />
    <AccessCheckLink shown={shown} />
    <VerifyNow shown={shown} />
  </>
)

function AccessCheckLink({ shown }: { shown: ShownIssue }) {
  const site = useSiteId()
  const page = pageOf(shown)
  if (page === null) return null
  return (
    <PageLink
      to="/sites/$site/access-checks"
      params={{ site }}
      search={{ url: `https://${page.host}${page.path}` }}
      className="control"
    >
      Access check
    </PageLink>
  )
}

const Facts = ({ shown: { issue } }: { shown: ShownIssue }) => (
  <div className="space-y-3">
    <p className="flex flex-wrap items-center gap-x-4 gap-y-3 text-dense text-ink2">
      <IssueStateBadge state={issue.state} is_confirmed={issue.fix_confirmed_at !== null} />
      <IssueReason issue={issue} />
      {issue.harm !== undefined && <span className="first-letter:uppercase">{HARM_WORDS[issue.harm]}</span>}
      {issue.host !== undefined && <span>{shortText(issue.host)}</span>}
    </p>
    {issue.description !== undefined && <p className="max-w-360 text-ink2">{visibleText(issue.description)}</p>}
  </div>
)
