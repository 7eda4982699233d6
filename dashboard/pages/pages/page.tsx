import { useQuery } from '@tanstack/react-query'
import type { AnalyticsPages } from '../../../src/contract/site-api/index.ts'
import { ReportExport } from '../../controls/report-export.tsx'
import { WindowPicker } from '../../controls/window-picker.tsx'
import { readQuery } from '../../read/queries.ts'
import { filterOf } from '../../read/search.ts'
import { useReportSearch, useSetSearch, useSiteId } from '../../read/use-report.ts'
import { Async, hasFailed, SkeletonRows } from '../../states/async.tsx'
import { Panel } from '../../states/panel.tsx'
import { TrackerPage } from '../../states/tracker-page.tsx'
import { DataTable } from '../../tables/data-table.tsx'
import { FilterBox, matches, nothingMatches } from '../../tables/filter-box.tsx'
import { useSort } from '../../tables/use-sort.ts'
import { PURPOSE_WORDS } from '../../words/purposes.ts'
import { COVERAGE_STATE_WORDS } from '../../words/sources.ts'
import { PAGE_COLUMNS, PATTERN_COLUMNS } from './columns.tsx'
import { VisitedPagesFigures } from './figures.tsx'
import { pagesInput } from './input.ts'

/** Which pages do people visit, and which do crawlers request? */
export function PagesPage() {
  const site = useSiteId()
  const search = useReportSearch()
  const input = pagesInput(site, filterOf(search).window, search.limit)
  const pages = useQuery(readQuery('getAnalyticsPages', input))
  return (
    <TrackerPage
      title="Visited pages"
      meta={pages.data?.meta}
      note={pages.data === undefined ? undefined : <CrawlerNote {...pages.data.summary} />}
      controls={
        <>
          <WindowPicker />
          <ReportExport id="getAnalyticsPages" input={input} />
        </>
      }
    >
      {!hasFailed(pages) && <VisitedPagesFigures summary={pages.data?.summary} />}
      <Async
        query={pages}
        skeleton={
          <Panel title="Pages">
            <SkeletonRows rows={12} />
          </Panel>
        }
      >
        {(answer) => (
          <>
            <PagesTable answer={answer} />
            <PatternsTable answer={answer} />
          </>
        )}
      </Async>
    </TrackerPage>
  )
}

/** A note about the evidence of the crawler columns. */
export function CrawlerNote({ crawler_evidence_state, crawler_purpose_filter }: AnalyticsPages['summary']) {
  if (crawler_evidence_state === null || crawler_evidence_state === 'unknown') {
    return 'No source covered crawlers in this window: their columns are unknown.'
  }
  const purposes = crawler_purpose_filter.map((purpose) => PURPOSE_WORDS[purpose]).join(', ')
  return `Crawler columns come from other sources: ${COVERAGE_STATE_WORDS[crawler_evidence_state].toLowerCase()}, purposes ${purposes}.`
}

function PagesTable({ answer: { meta, pages, summary } }: { answer: AnalyticsPages }) {
  const search = useReportSearch()
  const setSearch = useSetSearch()
  const rows = pages.filter(({ hostname, path }) => matches(search.q, `${hostname}${path}`))
  const { returned_count, truncated, total_count } = meta.pagination
  return (
    <Panel title="Pages" actions={<FilterBox label="Filter pages by address" rows={pages.length} />}>
      <DataTable
        caption="Pages, most pageviews first"
        columns={PAGE_COLUMNS}
        rows={rows}
        rowKey={({ hostname, path, path_fidelity }) => `${hostname}${path} ${path_fidelity}`}
        total={total_count}
        truncated={truncated}
        {...useSort()}
        api_order="pageviews"
        empty={
          nothingMatches({ what: 'page', q: search.q, searched: pages.length, total: total_count }) ??
          emptyWords(summary.page_count)
        }
        foot={
          truncated && returned_count < 100 ? (
            <button type="button" className="link" onClick={() => setSearch({ limit: '100' } as never)}>
              Show 100
            </button>
          ) : undefined
        }
      />
    </Panel>
  )
}

const emptyWords = (page_count: number | null): string =>
  page_count === null ? 'Which pages were visited is unknown.' : 'No page was visited in the collected time.'

/** Redacted paths. Several pages may share one, so its requests cannot be assigned to a single page. */
function PatternsTable({ answer: { crawler_patterns, summary } }: { answer: AnalyticsPages }) {
  if (crawler_patterns.length === 0) return null
  return (
    <Panel title="Crawler patterns" note="Paths with a removed part: their requests belong to no single page">
      <DataTable
        caption="Crawler requests under redacted paths"
        columns={PATTERN_COLUMNS}
        rows={crawler_patterns}
        rowKey={({ hostname, path }) => `${hostname}${path}`}
        total={summary.crawler_pattern_count}
        api_order="requests"
      />
    </Panel>
  )
}
