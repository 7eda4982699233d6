/** Revenue as the customer reported it, browser and server beside each other (rules 6). */
import Type from 'typebox'
import { defineOperation } from '../operation.ts'
import { format, none, shortWindow } from '../parameters.ts'

export const getAnalyticsRevenue = defineOperation({
  id: 'getAnalyticsRevenue',
  method: 'GET',
  path: '/v1/sites/{site}/revenue',
  tag: 'Analytics',
  summary: 'Customer-reported revenue by currency; not payment-provider verification',
  params: none,
  query: Type.Object({ window: shortWindow, format }),
  answer: Type.Object({ meta: Type.Object({}) }, { title: 'AnalyticsRevenue' }),
  refusals: [400, 401, 404, 405, 500, 503],
  window_too_long: 400,
  unavailable_title: 'analytics revenue unavailable',
  csv: {
    header: 'record_type,meta_json,reconciliation_json,reported_json',
    records: ['meta', 'reconciliation', 'reported'],
  },
})
