/** Sequences of pages of closed sessions, never of few people (rules 6). */
import Type from 'typebox'
import { defineOperation } from '../operation.ts'
import { format, limit, none, shortWindow } from '../parameters.ts'

export const getAnalyticsJourneys = defineOperation({
  id: 'getAnalyticsJourneys',
  method: 'GET',
  path: '/v1/sites/{site}/journeys',
  tag: 'Analytics',
  summary: 'Privacy-safe aggregate pageview sequences of closed sessions',
  params: none,
  query: Type.Object({
    window: shortWindow,
    limit: limit({
      maximum: 100,
      default: 100,
      description: 'Most individually shown sequences; the grouped privacy row does not count against it.',
    }),
    format,
  }),
  answer: Type.Object({ meta: Type.Object({}) }, { title: 'AnalyticsJourneys' }),
  refusals: [400, 401, 404, 405, 422, 500, 503],
  window_too_long: 422,
  unavailable_title: 'analytics journeys unavailable',
  csv: {
    header: 'record_type,meta_json,journey_json',
    records: ['meta', 'journey'],
  },
})
