/** Conversion revisions and the sessions that met them (rules 6). */
import Type from 'typebox'
import { Count, Instant, ObservedCount, oneOf, orNull, Share, Uuid } from '../fields.ts'
import { defineSiteOperation, type InputOf, type OutputOf } from '../operation.ts'
import { analyticsRead, format, include, limit, window } from '../parameters.ts'
import { envelopeFields, Pagination } from '../tracker-meta.ts'
import { CONVERSION_EVIDENCE_STATES, COUNT_QUALITIES, DEFINITION_STATES, WINDOWS } from '../vocabulary.ts'
import { ConversionMatcher, PropertyRule } from './funnel-definition.ts'

/** Most identities of one dimension; a longer list says so. */
export const CONVERSION_SOURCES = 100

export const CONVERSION_DIMENSIONS = [
  'channel',
  'ai_platform',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
] as const

export const ConversionSource = Type.Object(
  {
    dimension: oneOf(CONVERSION_DIMENSIONS),
    identity: Type.String({ description: 'A channel, an assistant, or the value of the UTM field.' }),
    converted_sessions: ObservedCount,
  },
  { title: 'ConversionSource' },
)

export const Conversion = Type.Object(
  {
    conversion_id: Uuid,
    revision_id: Uuid,
    revision: Type.Integer({ minimum: 1 }),
    name: Type.String({ minLength: 1, maxLength: 64 }),
    definition_state: oneOf(DEFINITION_STATES),
    effective_from: Instant,
    effective_to: orNull(Instant),
    matcher: ConversionMatcher,
    property_rules: Type.Array(PropertyRule, { maxItems: 8, description: 'Those of the matcher, once more.' }),
    evidence_state: oneOf(CONVERSION_EVIDENCE_STATES),
    metrics: Type.Object({
      converted_sessions: Type.Union([Count, Type.Null()], {
        description: 'Sessions with at least one event that meets the matcher while the revision is in force.',
      }),
      conversion_events: Type.Union([Count, Type.Null()], {
        description: "Such events, those of the customer's servers included, which belong to no session.",
      }),
      quality: oneOf(COUNT_QUALITIES),
      rate: orNull(Share, 'converted_sessions / sessions; null at null and at 0/0.'),
      sessions: orNull(Count, 'The denominator: all sessions of the window.'),
    }),
    sources: Type.Array(ConversionSource, {
      description: 'Converted sessions by where they came from: each dimension for itself, most sessions first.',
    }),
    sources_truncated: Type.Boolean({
      description: `True when a dimension has more than ${CONVERSION_SOURCES} identities; the rest is not listed. Past thousands a day the listed ones are counted at least so often.`,
    }),
  },
  { title: 'Conversion' },
)

export const getAnalyticsConversions = defineSiteOperation({
  id: 'getAnalyticsConversions',
  ...analyticsRead,
  path: '/v1/sites/{site}/conversions',
  summary: 'Configured named-event and exact-pageview conversion revisions',
  query: Type.Object({
    window,
    limit: limit({
      maximum: 100,
      default: 100,
      description: 'Most immutable revision rows, selected before metrics are joined.',
    }),
    format,
    include,
  }),
  output: Type.Object(
    {
      meta: Type.Object({
        ...envelopeFields('analytics-conversions/v1', 'sessions/v1', WINDOWS),
        pagination: Pagination,
      }),
      conversions: Type.Array(Conversion, { maxItems: 100 }),
    },
    { title: 'AnalyticsConversions' },
  ),
  unavailable_title: 'analytics conversions unavailable',
  csv: {
    header: 'record_type,meta_json,conversion_json,source_json',
    records: ['meta', 'conversion', 'conversion_property_rule', 'conversion_source'],
  },
  mcp: { tool: 'get_conversions' },
})
export type AnalyticsConversions = OutputOf<typeof getAnalyticsConversions>
export type AnalyticsConversionsInput = InputOf<typeof getAnalyticsConversions>
