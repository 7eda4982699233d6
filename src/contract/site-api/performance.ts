import Type from 'typebox'
import { Count, Day, ObservedCount, oneOf, orNull } from '../fields.ts'
import { Meta } from '../meta.ts'
import { defineSiteOperation, type InputOf, type OutputOf } from '../operation.ts'
import { crawlerRead, purpose, window } from '../parameters.ts'
import { OBSERVED_OUTCOMES, PATH_CLASSES, PURPOSES, SCOPES } from '../vocabulary.ts'

export const DailyRow = Type.Object(
  { date: Day, crawler_id: Type.String(), observed_request_count: Count },
  { title: 'DailyRow' },
)
export type DailyRow = Type.Static<typeof DailyRow>

/** A request whose response no source saw is an outcome of its own and never a status (spec 2.5). */
export const Outcome = Type.Union(
  [
    Type.Object({
      outcome: oneOf(OBSERVED_OUTCOMES),
      observed_request_count: Count,
      statuses: Type.Array(Type.Object({ http_status: Type.Integer({ minimum: 100 }), observed_request_count: Count })),
    }),
    Type.Object({
      outcome: Type.Literal('response_unobserved'),
      observed_request_count: Count,
      statuses: Type.Array(Type.Object({ http_status: Type.Null(), observed_request_count: Count })),
    }),
  ],
  { title: 'Outcome' },
)
export type Outcome = Type.Static<typeof Outcome>

/** Rows ≥ 1 of what the filter leaves out, so that no reader takes a filtered answer for the whole (rules 2). */
export const HiddenByPurposeFilter = Type.Array(
  Type.Object({ purpose: oneOf(PURPOSES), observed_request_count: ObservedCount }),
  { description: 'Observed requests of the window that the purpose filter leaves out; in no other count.' },
)

export const Performance = Type.Object(
  {
    meta: Meta,
    observed_request_count: orNull(Count),
    daily: Type.Array(DailyRow),
    http_outcomes: Type.Array(Outcome),
    observed_by_scope: Type.Array(Type.Object({ scope: oneOf(SCOPES), observed_request_count: ObservedCount }), {
      description: 'The same requests by what the crawler is to the site; the rows add up to the total.',
    }),
    observed_by_path_class: Type.Array(
      Type.Object({ path_class: oneOf(PATH_CLASSES), observed_request_count: ObservedCount }),
      { description: 'The same requests by content and infrastructure (robots.txt, sitemaps, favicon, assets).' },
    ),
    hidden_by_purpose_filter: HiddenByPurposeFilter,
  },
  { title: 'Performance' },
)

export const getPerformance = defineSiteOperation({
  id: 'getPerformance',
  ...crawlerRead,
  path: '/v1/sites/{site}/performance',
  summary: 'Observed crawler requests by day and by HTTP outcome',
  query: Type.Object({ window, purpose }),
  output: Performance,
  mcp: { tool: 'get_performance' },
})
export type Performance = OutputOf<typeof getPerformance>
export type PerformanceInput = InputOf<typeof getPerformance>
