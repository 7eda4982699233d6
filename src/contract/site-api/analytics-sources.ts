/** Where sessions came from, as their first pageview tells (rules 6). */
import Type from 'typebox'
import { defineOperation } from '../operation.ts'
import { format, none, window } from '../parameters.ts'

export const getAnalyticsSources = defineOperation({
  id: 'getAnalyticsSources',
  method: 'GET',
  path: '/v1/sites/{site}/analytics-sources',
  tag: 'Analytics',
  summary: 'Tracker acquisition, AI referral and five UTM sources',
  params: none,
  query: Type.Object({ window, format }),
  answer: Type.Object({ meta: Type.Object({}) }, { title: 'AnalyticsSources' }),
  refusals: [400, 401, 404, 405, 500, 503],
  unavailable_title: 'analytics sources unavailable',
  csv: {
    header: 'record_type,meta_json,dimension,identity_json,metric,value',
    records: ['meta', 'denominator', 'metric'],
  },
})
