/** Sequences of pages of closed sessions, never of few people (rules 6). */
import Type from 'typebox'
import { Count, ObservedCount, oneOf, orNull, Share } from '../fields.ts'
import { defineSiteOperation, type InputOf, type OutputOf } from '../operation.ts'
import { format, limit, shortAnalyticsRead, shortWindow } from '../parameters.ts'
import { envelopeFields, Pagination } from '../tracker-meta.ts'
import { PATH_FIDELITIES, SHORT_WINDOWS } from '../vocabulary.ts'

/** A sequence of fewer sessions is not shown (decisions 5). */
export const JOURNEY_FLOOR = 5

const JourneyPage = Type.Object({ hostname: Type.String(), path: Type.String(), path_fidelity: oneOf(PATH_FIDELITIES) })

export const Journey = Type.Union(
  [
    Type.Object(
      {
        kind: Type.Literal('sequence'),
        pages: Type.Array(JourneyPage, { minItems: 1, maxItems: 10 }),
        continued: Type.Boolean({ description: 'True when the sessions saw more pages than these ten.' }),
        sessions: ObservedCount,
        share: Share,
      },
      { title: 'JourneySequence' },
    ),
    Type.Object(
      {
        kind: Type.Literal('grouped'),
        sessions: orNull(Count),
        share: orNull(Share),
      },
      {
        title: 'JourneyGroup',
        description: `All sequences that fewer than ${JOURNEY_FLOOR} sessions went, together; always the last row.`,
      },
    ),
  ],
  { title: 'Journey' },
)

export const getAnalyticsJourneys = defineSiteOperation({
  id: 'getAnalyticsJourneys',
  ...shortAnalyticsRead,
  path: '/v1/sites/{site}/journeys',
  summary: 'Privacy-safe aggregate pageview sequences of closed sessions',
  query: Type.Object({
    window: shortWindow,
    limit: limit({
      maximum: 100,
      default: 100,
      description: 'Most individually shown sequences; the grouped privacy row does not count against it.',
    }),
    format,
  }),
  output: Type.Object(
    {
      meta: Type.Object({
        ...envelopeFields('analytics-journeys/v1', 'journeys/v1', SHORT_WINDOWS),
        pagination: Type.Object({ ...Pagination.properties, total_count: orNull(Count) }),
      }),
      share_denominator: Type.Literal('closed_sessions'),
      closed_sessions: Type.Union([Count, Type.Null()], {
        description:
          'All closed sessions of the window, those without a pageview included: the denominator of every share.',
      }),
      grouping_threshold: Type.Literal(JOURNEY_FLOOR),
      limit: Type.Integer({ minimum: 1, maximum: 100 }),
      returned_count: Type.Integer({ minimum: 0, maximum: 100 }),
      total_count: orNull(Count, 'Sequences that may be shown, whatever the limit.'),
      truncated: Type.Boolean(),
      journeys: Type.Array(Journey, { maxItems: 101 }),
    },
    { title: 'AnalyticsJourneys' },
  ),
  unavailable_title: 'analytics journeys unavailable',
  csv: {
    header: 'record_type,meta_json,journey_json',
    records: ['meta', 'journey'],
  },
  mcp: { tool: 'get_journeys' },
})
export type AnalyticsJourneys = OutputOf<typeof getAnalyticsJourneys>
export type AnalyticsJourneysInput = InputOf<typeof getAnalyticsJourneys>
