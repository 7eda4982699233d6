import Type from 'typebox'
import { Count, closed, Day, DaySpan, Instant, ObservedCount, oneOf, orNull, Uuid } from '../fields.ts'
import type { InputOf, OutputOf } from '../operation.ts'
import {
  AI_REPORT_KINDS,
  AI_REPORT_SOURCES,
  CITATION_SOURCES,
  COVERAGE_STATES,
  ENGINES,
  SEARCH_DATA_STATES,
  SEARCH_SOURCES,
  URL_DIMENSIONS,
} from '../vocabulary.ts'
import { brandPath, defineAccountOperation, listFields, REFUSALS } from './define.ts'
import { AveragePosition, Ratio } from './metrics.ts'
import { ROUTE_PARAMETERS } from './parameters.ts'

const CrawlerEvidence = Type.Object(
  {
    coverage_state: oneOf(COVERAGE_STATES),
    observed_request_count: orNull(Count, 'Null where a zero would not be proven.'),
    last_observed_at: orNull(Instant),
    open_issue_ids: Type.Array(Uuid),
  },
  { title: 'CrawlerEvidence' },
)

const cited = {
  source: oneOf(CITATION_SOURCES),
  answers_citing: ObservedCount,
  citations: ObservedCount,
  citation_rate: Ratio,
  citation_share: Ratio,
  engines: Type.Array(oneOf(ENGINES)),
  question_count: ObservedCount,
  first_cited_at: Instant,
  last_cited_at: Instant,
  crawler: orNull(
    CrawlerEvidence,
    'What crawlers did on an own URL; null for every other row, and for callers who may not see the site.',
  ),
}

const searched = {
  clicks: Count,
  impressions: Count,
  click_through: Ratio,
  average_position: AveragePosition,
  days: orNull(
    Type.Integer({ minimum: 1, description: 'Days of the search engine with figures.' }),
    'Null where it gives sums of a period or points of weeks.',
  ),
}

const AiReport = Type.Object({
  kind: oneOf(AI_REPORT_KINDS),
  source: oneOf(AI_REPORT_SOURCES),
  ...DaySpan.properties,
  citations: orNull(Count),
  impressions: orNull(Count),
})

/** Rows by dimension. */
export const UrlRow = Type.Object({ url: Type.String(), ...cited }, { title: 'UrlRow' })
export const DomainRow = Type.Object({ domain: Type.String(), ...cited }, { title: 'DomainRow' })
export const PageRow = Type.Object({ page: Type.String(), ...searched, ai: Type.Array(AiReport) }, { title: 'PageRow' })
export const QueryRow = Type.Object({ query: Type.String(), ...searched }, { title: 'QueryRow' })

const SearchData = Type.Object(
  {
    state: oneOf(SEARCH_DATA_STATES),
    source: oneOf(SEARCH_SOURCES),
    property: orNull(Type.String()),
    search_type: orNull(Type.String()),
    grouping: orNull(Type.String()),
    day_zone: orNull(Type.String()),
    gaps: Type.Array(DaySpan),
    weekly: orNull(Type.Boolean()),
  },
  { title: 'SearchData' },
)

const filters = {
  from: Day,
  to: Day,
  engines: orNull(Type.Array(oneOf(ENGINES))),
  country: orNull(Type.String()),
  question_id: orNull(Uuid),
  dimension: oneOf(URL_DIMENSIONS),
  source: orNull(oneOf([...CITATION_SOURCES, ...SEARCH_SOURCES])),
  page: orNull(Type.String()),
}

export const getUrlReport = defineAccountOperation({
  id: 'getUrlReport',
  method: 'GET',
  path: '/api/v1/brands/{brandId}/urls',
  tag: 'Report',
  summary: 'Which URLs and domains answers cite, and how own pages do in search',
  subject: 'brand',
  permission: 'read',
  effect: 'read',
  params: closed(brandPath),
  query: Type.Object(ROUTE_PARAMETERS.urls),
  output: Type.Object(
    {
      meta: closed({
        as_of: Instant,
        filters: closed(filters, { description: 'The filters in force, defaults included; null: not filtered.' }),
        ignored_parameters: Type.Array(Type.String()),
        opaque_citations: orNull(Count, 'Citations behind redirects, which have no URL; null for page and query.'),
        search_data: orNull(SearchData, 'Null for url and domain.'),
        limitations: Type.Array(oneOf(['one_question', 'source_days'])),
      }),
      dimension: oneOf(URL_DIMENSIONS),
      rows: Type.Union([Type.Array(UrlRow), Type.Array(DomainRow), Type.Array(PageRow), Type.Array(QueryRow)]),
      ...listFields,
    },
    { title: 'UrlReport' },
  ),
  refusals: REFUSALS,
  mcp: { tool: 'get_url_report' },
})

export type UrlReportInput = InputOf<typeof getUrlReport>
export type UrlReport = OutputOf<typeof getUrlReport>
