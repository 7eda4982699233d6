/** Pages that visitors saw, beside what crawlers asked for (rules 6). */
import Type from 'typebox'
import { Count, Instant, ObservedCount, oneOf, orNull } from '../fields.ts'
import { defineSiteOperation, type InputOf, type OutputOf } from '../operation.ts'
import { analyticsRead, format, include, limit, window } from '../parameters.ts'
import { envelopeFields, Pagination } from '../tracker-meta.ts'
import { COVERAGE_STATES, PATH_FIDELITIES, PURPOSES, WINDOWS } from '../vocabulary.ts'

const address = { hostname: Type.String(), path: Type.String(), path_fidelity: oneOf(PATH_FIDELITIES) }

/** Most crawler patterns of one answer. */
export const CRAWLER_PATTERNS = 100

const TrackerPage = Type.Object(
  {
    ...address,
    pageviews: Type.Integer({
      minimum: 0,
      description: '0 only where a conversion happened on a page without a pageview.',
    }),
    sessions: Type.Integer({ minimum: 0, description: 'Sessions that saw it at least once.' }),
    entries: Type.Integer({ minimum: 0, description: 'Sessions whose first pageview it was.' }),
    exits: Type.Integer({ minimum: 0, description: 'Sessions whose last pageview so far it was.' }),
    conversions: Type.Union([Count, Type.Null()], {
      description: 'Sessions with a conversion whose own event was sent from this page; null where none was in force.',
    }),
    crawler: Type.Object(
      {
        evidence_state: orNull(oneOf(COVERAGE_STATES)),
        observed_request_count: orNull(Count),
        observed_crawler_count: orNull(Count),
        last_observed_at: orNull(Instant),
        hidden_request_count: Type.Union([Count, Type.Null()], {
          description: 'Requests of the page that `crawler_purpose_filter` hides: they are in none of the others.',
        }),
      },
      { description: 'Independent crawler evidence of the same page; all null where no source covered its host.' },
    ),
  },
  { title: 'TrackerPage' },
)

export const AnalyticsPages = Type.Object(
  {
    meta: Type.Object({
      ...envelopeFields('analytics-pages/v1', 'sessions/v1', WINDOWS),
      pagination: Type.Object({ ...Pagination.properties, total_count: orNull(Count) }),
    }),
    summary: Type.Object({
      pageviews: orNull(Count),
      sessions: orNull(Count, 'Sessions with at least one pageview.'),
      page_count: orNull(Count, 'Pages with a pageview or a conversion, listed or not.'),
      crawler_purpose_filter: Type.Array(oneOf(PURPOSES)),
      crawler_evidence_state: Type.Union([oneOf(COVERAGE_STATES), Type.Null()], {
        description: 'How whole the crawler evidence of the window is; null where no source covered any of it.',
      }),
      crawler_pattern_count: orNull(Count),
    }),
    pages: Type.Array(TrackerPage),
    crawler_patterns: Type.Array(
      Type.Object({
        ...address,
        observed_request_count: ObservedCount,
        observed_crawler_count: ObservedCount,
        last_observed_at: Instant,
      }),
      {
        maxItems: CRAWLER_PATTERNS,
        description: 'Crawler evidence under paths that a redaction shares: it belongs to no single page.',
      },
    ),
  },
  { title: 'AnalyticsPages' },
)

export const getAnalyticsPages = defineSiteOperation({
  id: 'getAnalyticsPages',
  ...analyticsRead,
  path: '/v1/sites/{site}/pages',
  summary: 'Tracker pages by hostname, beside independent crawler evidence',
  query: Type.Object({
    window,
    limit: limit({
      maximum: 100,
      default: 50,
      description: 'Most tracker page identities after canonical ordering.',
    }),
    format,
    include,
  }),
  output: AnalyticsPages,
  unavailable_title: 'analytics pages unavailable',
  csv: {
    header: 'record_type,meta_json,hostname,path,path_fidelity,payload_json',
    records: ['meta', 'summary', 'page', 'crawler_pattern'],
  },
  mcp: { tool: 'get_pages' },
})
export type AnalyticsPages = OutputOf<typeof getAnalyticsPages>
export type AnalyticsPagesInput = InputOf<typeof getAnalyticsPages>
