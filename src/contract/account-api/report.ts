import Type from 'typebox'
import { Count, closed, Day, DaySpan, Instant, oneOf, orNull, Uuid } from '../fields.ts'
import type { InputOf, OutputOf } from '../operation.ts'
import { COMPARISONS, ENGINES, REPORT_INTERVALS } from '../vocabulary.ts'
import { brandPath, defineAccountOperation, REFUSALS } from './define.ts'
import { AveragePosition, Comparison, Metrics, Ratio } from './metrics.ts'
import { ROUTE_PARAMETERS } from './parameters.ts'

const SURFACES = ['consumer_ui', 'api', 'import'] as const

const Runs = Type.Object(
  {
    answered: Count,
    refused: Count,
    failed: Count,
    scheduled_not_run: Count,
    country_not_applied: Type.Integer({
      minimum: 0,
      description: 'Answers that were not given the country of the filter; in no other count.',
    }),
  },
  { title: 'Runs' },
)

const filters = {
  from: Day,
  to: Day,
  engines: orNull(Type.Array(oneOf(ENGINES))),
  country: orNull(Type.String()),
  question_id: orNull(Uuid),
  branded: orNull(Type.Boolean()),
  interval: oneOf(REPORT_INTERVALS),
  compare: oneOf(COMPARISONS),
}

const Meta = closed({
  contract_version: Type.Literal('brand-report/v1'),
  as_of: Instant,
  window: Type.Object({ from: Day, to: Day, timezone: Type.Literal('UTC') }),
  filters: closed(filters, { description: 'The filters in force, defaults included; null: not filtered.' }),
  ignored_parameters: Type.Array(Type.String()),
  questions: Type.Object({
    asked: Type.Integer({ minimum: 0, description: 'With a run in the window.' }),
    active: Count,
    archived_asked: Count,
  }),
  runs: Runs,
  completeness: Type.Object({
    state: oneOf(
      ['complete', 'partial', 'unknown'],
      'complete: no gap, no failed run, and none that was due and not asked; unknown: no answer at all; else partial.',
    ),
    gaps: Type.Array(Type.Object({ engine: oneOf(ENGINES), from: Day, to: Day })),
    limitations: Type.Array(oneOf(['one_question', 'names_changed']), {
      description:
        'one_question: a share of `metrics` rests on a single question, whose answers stand only for themselves. names_changed: names of the brand or a competitor changed, and answers are still being searched for them; until then a new name counts nowhere.',
    }),
  }),
})

const Engine = Type.Object({
  engine: oneOf(ENGINES),
  surfaces: Type.Array(oneOf(SURFACES)),
  models: Type.Array(
    Type.Object({ model: orNull(Type.String()), first_at: Instant, last_at: Instant, answers: Count }),
    { description: 'Of answered answers, in the order of their first one.' },
  ),
  web_search: Type.Object({ used: Count, not_used: Count, unknown: Count }),
  runs: Runs,
  metrics: Metrics,
  comparison: orNull(Comparison),
})

const SeriesRow = Type.Object({
  ...DaySpan.properties,
  engine: orNull(oneOf(ENGINES), 'Null: all engines together.'),
  state: oneOf(['answered', 'gap', 'not_asked', 'so_far'], 'so_far: today is one of its days.'),
  days: Type.Object({ answered: Count, gap: Count, not_asked: Count }),
  runs: Runs,
  models: Type.Array(Type.String()),
  surfaces: Type.Array(oneOf(SURFACES)),
  metrics: Metrics,
})

export const getBrandReport = defineAccountOperation({
  id: 'getBrandReport',
  method: 'GET',
  path: '/api/v1/brands/{brandId}/report',
  tag: 'Report',
  summary: 'How engines answer the questions of a brand: metrics, engines, competitors, series and comparison',
  subject: 'brand',
  permission: 'read',
  effect: 'read',
  params: closed(brandPath),
  query: Type.Object(ROUTE_PARAMETERS.report),
  output: Type.Object(
    {
      meta: Meta,
      metrics: Metrics,
      by_engine: Type.Array(Engine),
      competitors: Type.Array(
        Type.Object({
          id: Uuid,
          name: Type.String(),
          visibility: Ratio,
          share_of_voice: Ratio,
          average_position: AveragePosition,
        }),
      ),
      series: Type.Array(SeriesRow),
      missed: Type.Array(
        Type.Object({
          question: Type.Object({ id: Uuid, text: Type.String(), country: orNull(Type.String()) }),
          competitors: Type.Array(Type.Object({ id: Uuid, answers: Count })),
          answers: Count,
        }),
        { description: 'Questions whose answers name competitors and not the brand, the most such answers first.' },
      ),
      missed_total: Count,
      comparison: orNull(Comparison),
    },
    { title: 'BrandReport' },
  ),
  refusals: REFUSALS,
  mcp: { tool: 'get_brand_report' },
})

export type BrandReportInput = InputOf<typeof getBrandReport>
export type BrandReport = OutputOf<typeof getBrandReport>
