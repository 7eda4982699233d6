/** Funnels as sessions passed them, with the quality of every number (spec 2.6). Closed objects throughout. */
import Type from 'typebox'
import { Count, closed, Day, Instant, oneOf, orNull, Share, Uuid } from '../fields.ts'
import { defineSiteOperation, type InputOf, type OutputOf } from '../operation.ts'
import { format, include, limit, shortAnalyticsRead, shortWindow } from '../parameters.ts'
import { envelopeFields, limitations, Pagination, ranges, TrackerCompleteness } from '../tracker-meta.ts'
import * as vocabulary from '../vocabulary.ts'
import { StepDefinition } from './funnel-definition.ts'

const slug = {
  minLength: 34,
  maxLength: 64,
  pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*-[0-9a-f]{32}$',
}

const metaFields = <const Version extends string>(version: Version) => ({
  ...envelopeFields(version, 'funnel-evaluator/v1', vocabulary.SHORT_WINDOWS),
  configuration: closed({
    state: oneOf(vocabulary.CONFIGURATION_STATES),
    active_count: Type.Integer({ minimum: 0, maximum: 30 }),
  }),
})

const summaryFields = {
  slug: Type.String(slug),
  revision_id: Uuid,
  revision: Type.Integer({ minimum: 1 }),
  name: Type.String({ minLength: 1, maxLength: 64 }),
  definition_state: oneOf(vocabulary.DEFINITION_STATES),
  effective_from: Instant,
  effective_to: orNull(Instant),
  step_count: Type.Integer({ minimum: 2, maximum: 5 }),
  evidence_state: oneOf(vocabulary.FUNNEL_EVIDENCE_STATES),
  evaluation_coverage: closed({
    state: oneOf(vocabulary.COMPLETENESSES),
    raw_events: oneOf(vocabulary.COMPLETENESSES),
    core_collection: oneOf(vocabulary.COMPLETENESSES),
    conversion_steps: oneOf(vocabulary.STEP_COVERAGES),
    session_integrity: oneOf(vocabulary.SESSION_CERTAINTIES),
    event_order: oneOf(vocabulary.SESSION_CERTAINTIES),
    gaps: ranges,
    limitations,
  }),
  available_from: orNull(Day),
  data_through: orNull(Instant),
  metrics: closed({
    entered_sessions: orNull(Count),
    entered_quality: oneOf(vocabulary.QUALITIES),
    completed_sessions: orNull(Count),
    completed_quality: oneOf(vocabulary.QUALITIES),
    completion_rate: orNull(Share),
  }),
  completeness: TrackerCompleteness,
}

export const FunnelStep = closed(
  {
    position: Type.Integer({ minimum: 1, maximum: 5 }),
    definition: StepDefinition,
    reached_sessions: orNull(Count),
    reached_quality: oneOf(vocabulary.QUALITIES),
    rate_from_previous: orNull(Type.Number()),
  },
  { title: 'FunnelStep' },
)

export const FunnelSummary = closed(summaryFields, { title: 'FunnelSummary' })
export const Funnel = closed(
  { ...summaryFields, steps: Type.Array(FunnelStep, { minItems: 2, maxItems: 5 }) },
  { title: 'Funnel' },
)

export const getAnalyticsFunnels = defineSiteOperation({
  id: 'getAnalyticsFunnels',
  ...shortAnalyticsRead,
  path: '/v1/sites/{site}/funnels',
  summary: 'Funnels with their entered and completed sessions',
  query: Type.Object({
    window: shortWindow,
    limit: limit({ maximum: 100, default: 100, description: 'Most funnels to return.' }),
    format,
    include,
  }),
  output: closed(
    {
      meta: closed({ ...metaFields('analytics-funnels/v1'), pagination: Pagination }, { title: 'FunnelListMeta' }),
      funnels: Type.Array(FunnelSummary, { maxItems: 100 }),
    },
    { title: 'FunnelList' },
  ),
  unavailable_title: 'analytics funnels unavailable',
  csv: { header: 'record_type,meta_json,funnel_json', records: ['meta', 'funnel'] },
  mcp: { tool: 'get_funnels' },
})
export type FunnelList = OutputOf<typeof getAnalyticsFunnels>
export type FunnelListInput = InputOf<typeof getAnalyticsFunnels>

export const getAnalyticsFunnel = defineSiteOperation({
  id: 'getAnalyticsFunnel',
  ...shortAnalyticsRead,
  path: '/v1/sites/{site}/funnels/{funnel}',
  summary: 'One funnel with its steps',
  params: Type.Object({ funnel: Type.String({ ...slug, description: 'Slug of the funnel.' }) }),
  query: Type.Object({
    window: shortWindow,
    revision: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 2_147_483_647,
        description: 'Leave out for the current active revision, else the latest archived one.',
      }),
    ),
    format,
    include,
  }),
  output: closed(
    { meta: closed(metaFields('analytics-funnel/v1'), { title: 'FunnelMeta' }), funnel: Funnel },
    { title: 'SingleFunnel' },
  ),
  unavailable_title: 'analytics funnel unavailable',
  csv: {
    header: 'record_type,meta_json,funnel_json,step_json',
    records: ['meta', 'funnel', 'funnel_step'],
  },
  mcp: { tool: 'get_funnel' },
})
export type SingleFunnel = OutputOf<typeof getAnalyticsFunnel>
export type SingleFunnelInput = InputOf<typeof getAnalyticsFunnel>
