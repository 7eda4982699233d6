import { useQuery } from '@tanstack/react-query'
import type { PageDetail } from '../../../src/contract/dashboard-api/index.ts'
import { AnswerOutcomes } from '../../charts/answer-outcomes.tsx'
import { OutcomeDays } from '../../charts/outcome-days.tsx'
import { CopyButton } from '../../controls/copy-button.tsx'
import { PageLink } from '../../controls/page-link.tsx'
import { WindowPicker } from '../../controls/window-picker.tsx'
import { readQuery } from '../../read/queries.ts'
import { filterOf, searchOfFilter } from '../../read/search.ts'
import { useReportSearch, useSiteId } from '../../read/use-report.ts'
import { Async, hasFailed, SkeletonBox } from '../../states/async.tsx'
import { NotFound } from '../../states/page-error.tsx'
import { Panel } from '../../states/panel.tsx'
import { PanelColumn, PanelColumns, ReportPage } from '../../states/report-page.tsx'
import { PathText, REDACTED_NOTE } from '../../tables/path-text.tsx'
import { shortText } from '../../words/foreign-text.ts'
import { PATH_CLASS_WORDS } from '../../words/outcomes.ts'
import { CrawlersOfPage } from './crawlers-of-page.tsx'
import { CrawledPageFigures } from './figures.tsx'
import { IssuesOfPage } from './issues-of-page.tsx'
import { VisitorsOfPage } from './visitors-of-page.tsx'

/** Who requested one page, and what did they get? */
export function CrawledPagePage() {
  const { host, path } = useReportSearch() as { host?: string; path?: string }
  if (host === undefined || path === undefined) {
    return <NotFound what="The address names no page: it needs a host and a path. Choose one from Top pages." />
  }
  return <OnePage host={host} path={path} />
}

function OnePage({ host, path }: { host: string; path: string }) {
  const site = useSiteId()
  const filter = filterOf(useReportSearch())
  const { window } = filter
  const query = useQuery(readQuery('getPage', { site, window, host, path }))
  return (
    <ReportPage
      title={shortText(path)}
      heading={<PathText host="" path={path} length={56} is_large />}
      above={
        <PageLink
          to="/sites/$site/top-pages"
          params={{ site }}
          search={searchOfFilter(filter)}
          className="hover:underline"
        >
          Top pages
        </PageLink>
      }
      controls={<WindowPicker />}
      filters={<Facts host={host} path={path} answer={query.data} />}
      metas={[query.data?.meta]}
    >
      {!hasFailed(query) && <CrawledPageFigures answer={query.data} />}
      <Async
        query={query}
        skeleton={
          <Panel title="Observed requests a day, by outcome">
            <SkeletonBox height={294} />
          </Panel>
        }
      >
        {(answer) => (
          <>
            <OutcomeDays
              title="Observed requests a day, by outcome"
              file_name="page-requests-a-day"
              meta={answer.meta}
              daily={answer.daily_outcomes}
              note={
                answer.observed_request_count === 0 && (
                  <p className="mt-6 text-ink2">No request for it was observed in the watched time.</p>
                )
              }
            />
            <PanelColumns>
              <CrawlersOfPage answer={answer} />
              <PanelColumn>
                <AnswerOutcomes answer={answer} daily={answer.daily_outcomes} has_statuses />
                <IssuesOfPage host={host} path={path} />
                <VisitorsOfPage host={host} path={path} />
              </PanelColumn>
            </PanelColumns>
          </>
        )}
      </Async>
    </ReportPage>
  )
}

const Facts = ({ host, path, answer }: { host: string; path: string; answer: PageDetail | undefined }) => (
  <p className="flex flex-wrap items-center gap-x-8 gap-y-1 text-dense text-ink2">
    <span className="inline-flex items-center gap-2">
      <bdi className="font-mono text-code break-all">{shortText(host)}</bdi>
      <CopyButton text={`${host}${path}`} label="Copy the address" is_icon />
    </span>
    {answer !== undefined && <span>{PATH_CLASS_WORDS[answer.path_class]}</span>}
    <span>All purposes are counted.</span>
    {answer?.path_fidelity === 'redacted' && <span>{REDACTED_NOTE}</span>}
  </p>
)
