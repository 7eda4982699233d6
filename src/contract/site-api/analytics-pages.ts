/** Pages that visitors saw, beside what crawlers asked for (rules 6). */
import Type from 'typebox'
import { defineOperation } from '../operation.ts'
import { format, limit, none, window } from '../parameters.ts'

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
  answer: Type.Object({ meta: Type.Object({}) }, { title: 'AnalyticsPages' }),
  refusals: [400, 401, 404, 405, 500, 503],
  unavailable_title: 'analytics pages unavailable',
  csv: {
    header: 'record_type,meta_json,hostname,path,path_fidelity,payload_json',
    records: ['meta', 'summary', 'page', 'crawler_pattern'],
  },
})
