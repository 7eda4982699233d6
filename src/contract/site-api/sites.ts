import Type from 'typebox'
import { oneOf, Uuid } from '../fields.ts'
import { defineSiteOperation, type OutputOf } from '../operation.ts'
import { none } from '../parameters.ts'
import { ROLES } from '../vocabulary.ts'

/** spec 2.1 */
export const SiteMembership = Type.Object(
  {
    id: Uuid,
    root_domain: Type.String(),
    role: oneOf(ROLES),
  },
  { title: 'SiteMembership' },
)
export type SiteMembership = Type.Static<typeof SiteMembership>

export const listSites = defineSiteOperation({
  id: 'listSites',
  method: 'GET',
  path: '/v1/sites',
  tag: 'Sites',
  summary: 'Sites that this key may read',
  description: 'Ordered by root domain, then id. The id is immutable; a domain may be renamed.',
  params: none,
  query: none,
  output: Type.Object({ sites: Type.Array(SiteMembership) }, { title: 'SiteList' }),
  refusals: [400, 401, 405, 500],
  mcp: { tool: 'list_sites' },
})
export type SiteList = OutputOf<typeof listSites>
