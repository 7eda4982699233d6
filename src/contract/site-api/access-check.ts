import Type from 'typebox'
import { defineSiteOperation, type InputOf, type OutputOf } from '../operation.ts'
import { none } from '../parameters.ts'

export const runAccessCheck = defineSiteOperation({
  id: 'runAccessCheck',
  method: 'POST',
  path: '/v1/sites/{site}/access-checks',
  tag: 'Issues',
  summary: 'Policy evidence for one URL, as it stands now',
  params: none,
  query: none,
  body: Type.Object(
    {
      url: Type.String({
        format: 'uri',
        pattern: '^[hH][tT][tT][pP][sS]?://',
        description: 'An http or https URL on this site.',
      }),
    },
    { title: 'AccessCheckRequest' },
  ),
  output: Type.Object({}, { title: 'AccessCheck', description: 'Current state only.' }),
  refusals: [400, 401, 404, 405, 422, 500],
  mcp: { tool: 'run_access_check' },
})
export type AccessCheck = OutputOf<typeof runAccessCheck>
export type AccessCheckInput = InputOf<typeof runAccessCheck>
