/** Conversion revisions and the sessions that met them (rules 6). */
import Type from 'typebox'
import { defineOperation } from '../operation.ts'
import { format, limit, none, window } from '../parameters.ts'

export const getAnalyticsConversions = defineOperation({
  id: 'getAnalyticsConversions',
  method: 'GET',
  path: '/v1/sites/{site}/conversions',
  tag: 'Analytics',
  summary: 'Configured named-event and exact-pageview conversion revisions',
  params: none,
  query: Type.Object({
    window,
    limit: limit({
      maximum: 100,
      default: 100,
      description: 'Most immutable revision rows, selected before metrics are joined.',
    }),
    format,
  }),
  answer: Type.Object({ meta: Type.Object({}) }, { title: 'AnalyticsConversions' }),
  refusals: [400, 401, 404, 405, 500, 503],
  unavailable_title: 'analytics conversions unavailable',
  csv: {
    header: 'record_type,meta_json,conversion_json,source_json',
    records: ['meta', 'conversion', 'conversion_property_rule', 'conversion_source'],
  },
})
