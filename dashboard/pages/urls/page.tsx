import { useQuery } from '@tanstack/react-query'
import type { UrlReport } from '../../../src/contract/account-api/index.ts'
import { CITATION_SOURCES, SEARCH_SOURCES, URL_DIMENSIONS } from '../../../src/contract/vocabulary.ts'
import { BrandPage, useBrand } from '../../brand/brand-page.tsx'
import {
  BrandDates,
  Choice,
  CountryFilter,
  EngineFilter,
  QuestionFilter,
  useBrandFilter,
} from '../../brand/filters.tsx'
import { Pager } from '../../brand/pager.tsx'
import { PageLink } from '../../controls/page-link.tsx'
import { SaveCsv } from '../../controls/save-csv.tsx'
import { Segments } from '../../controls/segments.tsx'
import { type BrandSearch, useBrandId, useBrandSearch } from '../../read/brand-search.ts'
import { readQuery } from '../../read/queries.ts'
import { Async, SkeletonRows } from '../../states/async.tsx'
import { isBehindLast, NoMoreRows } from '../../states/no-more-rows.tsx'
import { Panel } from '../../states/panel.tsx'
import { written } from '../../tables/csv.ts'
import { DataTable } from '../../tables/data-table.tsx'
import { FilterBox, matches, nothingMatches } from '../../tables/filter-box.tsx'
import { CITATION_SOURCE_WORDS, SEARCH_SOURCE_WORDS } from '../../words/brand.ts'
import { shortText } from '../../words/foreign-text.ts'
import { counted } from '../../words/numbers.ts'
import { CitationLine } from './citation-line.tsx'
import { type CitedRow, citedColumns, isCited } from './cited-columns.tsx'
import { needsPage, URLS_A_PAGE, urlsInput } from './route.ts'
import { SearchLine } from './search-line.tsx'
import { type SearchedRow, searchedColumns } from './searched-columns.tsx'

const DIMENSION_WORDS = {
  url: 'Cited URLs',
  domain: 'Cited domains',
  page: 'Searched pages',
  query: 'Queries',
} as const

const TAB_WORDS = { url: 'URLs', domain: 'Domains', page: 'Search pages', query: 'Queries' } as const

/** Which pages are cited, and how do own pages rank in search? */
export function UrlsPage() {
  const brand = useBrandId()
  const search = useBrandSearch()
  const lacks_page = needsPage(search)
  const report = useQuery({ ...readQuery('getUrlReport', urlsInput(brand, search)), enabled: !lacks_page })
  const dimension = search.dimension ?? 'url'
  return (
    <BrandPage
      title="URLs"
      error={report.error}
      controls={<BrandDates />}
      filters={
        <>
          <Segments
            is_wide
            label="Rows"
            current={dimension}
            items={URL_DIMENSIONS.map((key) => ({
              key,
              label: TAB_WORDS[key],
              search: ofDimension(search, key),
            }))}
          />
          <SourceFilter />
          {(dimension === 'url' || dimension === 'domain') && (
            <>
              <EngineFilter />
              <CountryFilter />
              <QuestionFilter />
            </>
          )}
        </>
      }
    >
      {lacks_page ? (
        <Panel title="Queries">
          <p className="flex flex-wrap items-center gap-8 px-8 pb-8 text-ink2 max-tablet:px-6">
            Choose a page to see its queries.
            <PageLink to="." search={ofDimension(search, 'page')} className="control">
              Show pages
            </PageLink>
          </p>
        </Panel>
      ) : (
        <Async
          query={report}
          skeleton={
            <Panel title={DIMENSION_WORDS[dimension]}>
              <SkeletonRows rows={12} />
            </Panel>
          }
        >
          {(answer) => <UrlBlocks report={answer} />}
        </Async>
      )}
    </BrandPage>
  )
}

/** The same dates with other rows, without parameters that the other dimension does not have. */
function ofDimension(search: BrandSearch, dimension: keyof typeof DIMENSION_WORDS): BrandSearch {
  const { source: _source, page, offset: _offset, dimension: _dimension, q: _q, ...others } = search
  return {
    ...others,
    ...(dimension === 'url' ? {} : { dimension }),
    ...(dimension === 'query' && page !== undefined ? { page } : {}),
  } as BrandSearch
}

function SourceFilter() {
  const { dimension = 'url', source } = useBrandSearch()
  const filter = useBrandFilter()
  const is_cited = dimension === 'url' || dimension === 'domain'
  const options = is_cited
    ? [
        { key: 'any', label: 'Own, competitors and others' },
        ...CITATION_SOURCES.map((key) => ({ key, label: CITATION_SOURCE_WORDS[key] })),
      ]
    : SEARCH_SOURCES.map((key) => ({ key, label: SEARCH_SOURCE_WORDS[key] }))
  return <Choice label="Source" value={source} options={options} onChoose={(key) => filter({ source: key })} />
}

/** The line about the evidence, and the table that belongs to the dimension. */
export function UrlBlocks({ report }: { report: UrlReport }) {
  const brand = useBrandId()
  const search = useBrandSearch()
  const site = useBrand()?.site_id ?? null
  const title = DIMENSION_WORDS[report.dimension]
  const found = report.rows.length
  const shown = report.rows.filter((row) => matches(search.q, nameOf(row)))
  const filter = <FilterBox label="Filter the rows" rows={found} />
  const what = ROW_WORDS[report.dimension]
  const emptyWords = (none: string) =>
    nothingMatches({ what, q: search.q, searched: found, total: report.total_count }) ??
    (isBehindLast(report) ? <NoMoreRows what="rows" /> : none)
  const { as_of, filters } = report.meta
  const evidence: [string, string][] = [
    ['as_of', as_of],
    ['window_from', filters.from],
    ['window_to', filters.to],
  ]
  const shared = {
    total: report.total_count,
    truncated: report.truncated,
    foot: <Pager offset={report.offset} limit={URLS_A_PAGE} total={report.total_count} />,
  }
  if (isCited(report)) {
    const columns = citedColumns(report.dimension, site)
    const cited = shown as readonly CitedRow[]
    return (
      <>
        <CitationLine report={report} />
        <Panel
          title={title}
          note="the most citing answers first"
          actions={
            <>
              {filter}
              <SaveCsv
                label={title}
                file_name={`cited-${report.dimension}s`}
                csv={() => written(evidence, columns, cited)}
              />
            </>
          }
        >
          <DataTable
            {...shared}
            caption={title}
            columns={columns}
            rows={cited}
            rowKey={nameOf}
            empty={emptyWords('No answer in these dates cites anything that matches these filters.')}
          />
        </Panel>
      </>
    )
  }
  const rows = shown as readonly SearchedRow[]
  const columns = searchedColumns(brand, search)
  return (
    <>
      <SearchLine report={report} />
      <Panel
        title={title}
        note={filters.page === null ? undefined : shortText(filters.page, 100)}
        actions={
          <>
            {filter}
            <SaveCsv
              label={title}
              file_name={report.dimension === 'query' ? 'queries' : 'searched-pages'}
              csv={() => written(evidence, columns, rows)}
            />
          </>
        }
      >
        <DataTable
          {...shared}
          caption={`${counted(rows.length, 'row')} of search data`}
          columns={columns}
          rows={rows}
          rowKey={nameOf}
          empty={emptyWords(
            report.meta.search_data?.state === 'none'
              ? 'How own pages do in search is unknown: no search data is stored.'
              : 'The search data has no rows for these dates.',
          )}
        />
      </Panel>
    </>
  )
}

const ROW_WORDS = { url: 'URL', domain: 'domain', page: 'page', query: 'query' } as const

/** What a row is about. */
function nameOf(row: UrlReport['rows'][number]): string {
  if ('url' in row) return row.url
  if ('domain' in row) return row.domain
  return 'page' in row ? row.page : row.query
}
