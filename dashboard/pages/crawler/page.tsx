import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { CrawlerAnswer } from '../../../src/contract/site-api/index.ts'
import { PURPOSES } from '../../../src/contract/vocabulary.ts'
import { AnswerOutcomes } from '../../charts/answer-outcomes.tsx'
import { PurposeMark } from '../../charts/mark.tsx'
import { PageLink } from '../../controls/page-link.tsx'
import { WindowPicker } from '../../controls/window-picker.tsx'
import { readQuery } from '../../read/queries.ts'
import { filterOf } from '../../read/search.ts'
import { useReportSearch, useSiteId } from '../../read/use-report.ts'
import { useKeptSearch } from '../../shell/kept-search.ts'
import { Async, hasFailed, SkeletonBox, SkeletonRows } from '../../states/async.tsx'
import { Figure, Figures } from '../../states/figures.tsx'
import { Panel } from '../../states/panel.tsx'
import { PanelColumn, PanelColumns, ReportPage } from '../../states/report-page.tsx'
import { shortText } from '../../words/foreign-text.ts'
import { SCOPE_WORDS } from '../../words/identities.ts'
import { percent } from '../../words/numbers.ts'
import { isFailure } from '../../words/outcomes.ts'
import { PURPOSE_WORDS } from '../../words/purposes.ts'
import { CountingSources } from './counting-sources.tsx'
import { CrawlerDays } from './crawler-days.tsx'
import { CrawlerPages } from './crawler-pages.tsx'
import { IdentityPanel } from './identity-panel.tsx'
import { RegistrySource } from './registry-source.tsx'

/** What makes up the number of one crawler? */
export function CrawlerPage() {
  const site = useSiteId()
  const keptFor = useKeptSearch()
  const { crawler } = useParams({ strict: false }) as { crawler: string }
  const { window } = filterOf(useReportSearch())
  const query = useQuery(readQuery('getCrawler', { site, crawler_id: crawler, window }))
  const breakdown = useQuery(
    readQuery('getDailyBreakdown', { site, crawler_id: crawler, window, purpose: [...PURPOSES] }),
  )
  const answer = query.data
  const name = shortText(answer?.display_name ?? crawler)
  return (
    <ReportPage
      title={name}
      above={
        <PageLink
          to="/sites/$site/crawlers"
          params={{ site }}
          search={keptFor('/sites/$site/crawlers')}
          className="hover:underline"
        >
          Crawlers
        </PageLink>
      }
      controls={<WindowPicker />}
      filters={answer === undefined ? <p className="h-10" /> : <Facts answer={answer} />}
      metas={[answer?.meta, breakdown.data?.meta]}
    >
      {!hasFailed(query) && <CrawlerFigures answer={answer} />}
      <Async
        query={query}
        skeleton={
          <Panel title="Observed requests a day">
            <SkeletonBox height={294} />
          </Panel>
        }
      >
        {(read) => (
          <>
            <CrawlerDays answer={read} breakdown={breakdown} />
            <PanelColumns>
              <CrawlerPages answer={read} />
              <PanelColumn>
                <AnswerOutcomes answer={read} daily={breakdown.data?.daily_outcomes} />
                <IdentityPanel answer={read} />
                <CountingSources breakdown={breakdown} />
                <RegistrySource crawler_id={read.crawler_id} />
              </PanelColumn>
            </PanelColumns>
          </>
        )}
      </Async>
      {query.isPending && <SkeletonRows rows={6} />}
    </ReportPage>
  )
}

const Facts = ({ answer }: { answer: CrawlerAnswer }) => (
  <p className="flex flex-wrap items-center gap-x-8 gap-y-2 text-dense text-ink2">
    <span className="inline-flex items-center gap-4">
      <PurposeMark purpose={answer.purpose} />
      {PURPOSE_WORDS[answer.purpose]}
      {answer.also_declared.length > 0 && `, also declared: ${answer.also_declared.join(', ')}`}
    </span>
    <span>{SCOPE_WORDS[answer.scope]}</span>
    {answer.platform !== null && <span>{shortText(answer.platform)}</span>}
    <code className="font-mono text-code text-ink3">{answer.crawler_id}</code>
  </p>
)

function CrawlerFigures({ answer }: { answer: CrawlerAnswer | undefined }) {
  const total = answer?.observed_request_count
  const unobserved = answer?.http_outcomes.find(
    ({ outcome }) => outcome === 'response_unobserved',
  )?.observed_request_count
  const known = total === undefined || total === null ? total : (unobserved ?? NONE)
  const failed =
    total === undefined || total === null
      ? total
      : answer?.http_outcomes.reduce(
          (sum, row) => (isFailure(row.outcome) ? sum + row.observed_request_count : sum),
          NONE,
        )
  const days = answer === undefined || total === null ? answer && null : answer.daily.length
  return (
    <Figures label="Figures">
      <Figure label="Observed requests" value={total} note="in the time that was watched" />
      <Figure label="Days with requests" value={days} note="in the window" />
      <Figure label="Answered 4xx or 5xx" value={failed} note={shareNote(failed, total)} />
      <Figure
        label="Pages"
        value={answer === undefined ? undefined : answer.total_count}
        note="distinct host and path"
      />
      <Figure label="Response unobserved" value={known} note={shareNote(known, total)} />
    </Figures>
  )
}
/** If the answer is known and has no such row, no such request was observed. */
const NONE = 0

const shareNote = (part: number | null | undefined, total: number | null | undefined) =>
  typeof total === 'number' && total > 0 && typeof part === 'number'
    ? `${percent(part / total)} of requests`
    : undefined
