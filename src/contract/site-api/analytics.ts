/** Tracker analytics whose objects the specification does not show (spec 2.8): open objects with their envelope. */
import Type from 'typebox'
import { defineOperation } from '../operation.ts'
import { format, limit, none, shortWindow, window } from '../parameters.ts'

const openAnswer = (title: string) =>
  Type.Object({ meta: Type.Object({}, { description: 'Truth envelope.' }) }, { title })

export const getAnalyticsOverview = defineOperation({
  id: 'getAnalyticsOverview',
  method: 'GET',
  path: '/v1/sites/{site}/overview',
  tag: 'Analytics',
  summary: 'Tracker overview with its truth envelope',
  params: none,
  query: Type.Object({ window, format }),
  answer: openAnswer('AnalyticsOverview'),
  refusals: [400, 401, 404, 405, 500, 503],
  unavailable_title: 'analytics overview unavailable',
  csv: {
    header: 'record_type,meta_json,day,metric,value',
    records: ['meta', 'metric', 'trend', 'comparison'],
  },
  mcp: { tool: 'get_overview' },
})

export const getAnalyticsSources = defineOperation({
  id: 'getAnalyticsSources',
  method: 'GET',
  path: '/v1/sites/{site}/analytics-sources',
  tag: 'Analytics',
  summary: 'Tracker acquisition, AI referral and five UTM sources',
  params: none,
  query: Type.Object({ window, format }),
  answer: openAnswer('AnalyticsSources'),
  refusals: [400, 401, 404, 405, 500, 503],
  unavailable_title: 'analytics sources unavailable',
  csv: {
    header: 'record_type,meta_json,dimension,identity_json,metric,value',
    records: ['meta', 'denominator', 'metric'],
  },
})

export const getAnalyticsPages = defineOperation({
  id: 'getAnalyticsPages',
  method: 'GET',
  path: '/v1/sites/{site}/pages',
  tag: 'Analytics',
  summary: 'Tracker pages by hostname, beside independent crawler evidence',
  params: none,
  query: Type.Object({
    window,
    limit: limit({
      maximum: 100,
      default: 50,
      description: 'Most tracker page identities after canonical ordering.',
    }),
    format,
  }),
  answer: openAnswer('AnalyticsPages'),
  refusals: [400, 401, 404, 405, 500, 503],
  unavailable_title: 'analytics pages unavailable',
  csv: {
    header: 'record_type,meta_json,hostname,path,path_fidelity,payload_json',
    records: ['meta', 'summary', 'page', 'crawler_pattern'],
  },
})

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
  answer: openAnswer('AnalyticsConversions'),
  refusals: [400, 401, 404, 405, 500, 503],
  unavailable_title: 'analytics conversions unavailable',
  csv: {
    header: 'record_type,meta_json,conversion_json,source_json',
    records: ['meta', 'conversion', 'conversion_property_rule', 'conversion_source'],
  },
})

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
  answer: openAnswer('AnalyticsJourneys'),
  refusals: [400, 401, 404, 405, 422, 500, 503],
  window_too_long: 422,
  unavailable_title: 'analytics journeys unavailable',
  csv: {
    header: 'record_type,meta_json,journey_json',
    records: ['meta', 'journey'],
  },
})

export const getAnalyticsRevenue = defineOperation({
  id: 'getAnalyticsRevenue',
  method: 'GET',
  path: '/v1/sites/{site}/revenue',
  tag: 'Analytics',
  summary: 'Customer-reported revenue by currency; not payment-provider verification',
  params: none,
  query: Type.Object({ window: shortWindow, format }),
  answer: openAnswer('AnalyticsRevenue'),
  refusals: [400, 401, 404, 405, 500, 503],
  window_too_long: 400,
  unavailable_title: 'analytics revenue unavailable',
  csv: {
    header: 'record_type,meta_json,reconciliation_json,reported_json',
    records: ['meta', 'reconciliation', 'reported'],
  },
})
