import type { UseQueryResult } from '@tanstack/react-query'
import type { Crawler, Crawlers, DailyRow, Performance } from '../../../src/contract/site-api/index.ts'
import { PurposeMark } from '../../charts/mark.tsx'
import { PageLink } from '../../controls/page-link.tsx'
import { SaveCsv } from '../../controls/save-csv.tsx'
import type { DayEvidence } from '../../evidence/day.ts'
import { totalOfDay } from '../../evidence/day-rows.ts'
import { Unknown, Value } from '../../evidence/value.tsx'
import { filterOf, searchOfFilter } from '../../read/search.ts'
import { useReportSearch, useSiteId } from '../../read/use-report.ts'
import { Async, hasFailed, SkeletonRows } from '../../states/async.tsx'
import { Panel } from '../../states/panel.tsx'
import { csvOf } from '../../tables/csv.ts'
import { DataTable } from '../../tables/data-table.tsx'
import { ROW_LINK } from '../../tables/path-text.tsx'
import type { Column } from '../../tables/table-types.ts'
import { weekdayText } from '../../words/days.ts'
import { shortText } from '../../words/foreign-text.ts'
import { percent } from '../../words/numbers.ts'
import { PURPOSE_WORDS } from '../../words/purposes.ts'
import { nameOf } from '../crawlers/columns.tsx'
import { TOP_CRAWLERS } from './parts.ts'

interface CrawlersOfDayProps {
  performance: UseQueryResult<Performance>
  crawlers: UseQueryResult<Crawlers>
  day: DayEvidence
}

/** The crawlers of the selected day. Identity by day is known only for all crawlers together, so it is not shown. */
export function CrawlersOfDay({ performance, crawlers, day }: CrawlersOfDayProps) {
  const site = useSiteId()
  const search = searchOfFilter(filterOf(useReportSearch()))
  const rows = (performance.data?.daily ?? [])
    .filter(({ date }) => date === day.date)
    .toSorted((a, b) => b.observed_request_count - a.observed_request_count)
  const named = new Map(crawlers.data?.crawlers.map((crawler) => [crawler.crawler_id, crawler]))
  const total = totalOfDay(rows, day)
  const columns = columnsFor({ site, search, named, is_unread: hasFailed(crawlers), total })
  const meta = performance.data?.meta
  return (
    <Panel
      title="Crawlers"
      note={weekdayText(day.date)}
      actions={
        meta !== undefined && (
          <SaveCsv
            label="Crawlers of the day"
            file_name={`crawlers-${day.date}`}
            csv={() => csvOf(meta, columns, rows, day.date)}
          />
        )
      }
    >
      <Async query={performance} skeleton={<SkeletonRows rows={TOP_CRAWLERS} />}>
        {() => (
          <DataTable
            caption={`Crawlers on ${weekdayText(day.date)}, most requests first`}
            columns={columns}
            rows={rows}
            rowKey={({ crawler_id }) => crawler_id}
            total={total === null ? null : rows.length}
            api_order="requests"
            empty={
              total !== null
                ? 'No crawler was observed on this day.'
                : `Which crawlers came is unknown: ${day.state === 'gap' ? 'no source covered this day' : 'this day is not watched in full'}.`
            }
          />
        )}
      </Async>
    </Panel>
  )
}

interface ColumnsInput {
  site: string
  search: Readonly<Record<string, string>>
  named: ReadonlyMap<string, Crawler>
  /** The crawlers' names and purposes could not be read. */
  is_unread: boolean
  total: number | null
}

const columnsFor = ({ site, search, named, is_unread, total }: ColumnsInput): Column<DailyRow>[] => [
  {
    key: 'name',
    head: 'Crawler',
    csv: { name: 'crawler_id', value: ({ crawler_id }) => crawler_id },
    cell: ({ crawler_id }) => (
      <PageLink
        to="/sites/$site/crawlers/$crawler"
        params={{ site, crawler: crawler_id }}
        search={search}
        className={`${ROW_LINK} font-medium`}
      >
        {shortText(nameOf(named.get(crawler_id) ?? { crawler_id, display_name: null }))}
      </PageLink>
    ),
  },
  {
    key: 'purpose',
    head: 'Purpose',
    phone: 'tag',
    csv: { name: 'purpose', value: ({ crawler_id }) => named.get(crawler_id)?.purpose ?? null },
    cell: ({ crawler_id }) => {
      const purpose = named.get(crawler_id)?.purpose
      return purpose === undefined ? (
        is_unread && <Unknown />
      ) : (
        <span className="inline-flex items-center gap-5 text-ink2">
          <PurposeMark purpose={purpose} />
          {PURPOSE_WORDS[purpose]}
        </span>
      )
    },
  },
  {
    key: 'requests',
    head: 'Requests',
    is_number: true,
    phone: 'value',
    csv: { name: 'observed_request_count', value: ({ observed_request_count }) => observed_request_count },
    cell: ({ observed_request_count }) => <Value value={observed_request_count} />,
  },
  {
    key: 'share',
    head: 'Share of the day',
    is_number: true,
    phone: 'bar',
    cell: ({ observed_request_count }) => (
      <span className="text-ink2">
        <Value value={total === null || total === 0 ? null : observed_request_count / total} format={percent} />
      </span>
    ),
  },
]
