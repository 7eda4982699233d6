import { useQuery } from '@tanstack/react-query'
import { WINDOWS } from '../../../src/contract/vocabulary.ts'
import { OutcomeDays } from '../../charts/outcome-days.tsx'
import { PageLink } from '../../controls/page-link.tsx'
import { readQuery } from '../../read/queries.ts'
import { filterOf } from '../../read/search.ts'
import { useCrawlerNames } from '../../read/use-crawler-names.ts'
import { useReportSearch, useSiteId } from '../../read/use-report.ts'
import { Async, SkeletonBox } from '../../states/async.tsx'
import { Panel, PanelBody } from '../../states/panel.tsx'
import { dayText } from '../../words/days.ts'
import { shortText } from '../../words/foreign-text.ts'
import type { ShownIssue } from './page.tsx'
import { pageOf } from './page-of.ts'

/** Requests of the crawler for the page, by outcome, around the harm. */
export function PageOfIssue({ shown }: { shown: ShownIssue }) {
  const site = useSiteId()
  const { window } = filterOf(useReportSearch())
  const input = pageOf(shown)
  const nameOf = useCrawlerNames()
  const query = useQuery({
    ...readQuery('getPage', { site, window, host: input?.host ?? '', path: input?.path ?? '', ...input?.of_crawler }),
    enabled: input !== null,
  })
  if (input === null) return <NoPage is_host={shown.issue.path === null} />
  const title = `${input.crawler === null ? 'All crawlers' : nameOf(input.crawler)} on ${shortText(input.path, 60)}, by outcome`
  return (
    <Async
      query={query}
      skeleton={
        <Panel title={title}>
          <SkeletonBox height={294} />
        </Panel>
      }
    >
      {(answer) => (
        <OutcomeDays
          title={title}
          file_name="issue-requests-a-day"
          meta={answer.meta}
          daily={answer.daily_outcomes}
          note={<Beginning since={firstDay(shown)} {...answer.meta.window} />}
        />
      )}
    </Async>
  )
}

/** The first day of the harm that the evidence names. */
export function firstDay({ issue }: ShownIssue): string {
  const days = issue.evidence_refs.flatMap((ref) => (ref.kind === 'inspection' ? [] : [ref.window.slice(0, 10)]))
  return days.sort()[0] ?? issue.detected_at.slice(0, 10)
}

/** Says when the chart begins too late to show where the harm began. */
function Beginning({ since, from, to }: { since: string; from: string; to: string }) {
  const search = useReportSearch()
  if (since >= from) return null
  const days = (Date.parse(to) - Date.parse(since)) / 86_400_000 + 1
  const window = WINDOWS.find((one) => Number.parseInt(one, 10) >= days)
  return (
    <p className="mt-6 flex flex-wrap items-center gap-x-6 text-ink2">
      The harm began on {dayText(since)}, before this window.
      {window !== undefined && (
        <PageLink to="." search={{ ...search, window }}>
          Show {Number.parseInt(window, 10)} days
        </PageLink>
      )}
    </p>
  )
}

const NoPage = ({ is_host }: { is_host: boolean }) => (
  <Panel title="Requests by outcome">
    <PanelBody>
      <p className="text-ink2">
        {is_host
          ? 'The issue is about a whole host, so there is no page whose requests could be shown.'
          : 'The pages of the issue are not recorded, so there is none whose requests could be shown.'}
      </p>
    </PanelBody>
  </Panel>
)
