/** Visitors, sessions and pageviews of a site at a glance (rules 6). */
import Type from 'typebox'
import { defineOperation } from '../operation.ts'
import { format, none, window } from '../parameters.ts'

export const getAnalyticsOverview = defineOperation({
  id: 'getAnalyticsOverview',
  method: 'GET',
  path: '/v1/sites/{site}/overview',
  tag: 'Analytics',
  summary: 'Tracker overview with its truth envelope',
  params: none,
  query: Type.Object({ window, format }),
  answer: Type.Object({ meta: Type.Object({}) }, { title: 'AnalyticsOverview' }),
  refusals: [400, 401, 404, 405, 500, 503],
  unavailable_title: 'analytics overview unavailable',
  csv: {
    header: 'record_type,meta_json,day,metric,value',
    records: ['meta', 'metric', 'trend', 'comparison'],
  },
  mcp: { tool: 'get_overview' },
})
