import Type from 'typebox'
import { Count, oneOf, orNull, Share } from '../fields.ts'
import { Meta } from '../meta.ts'
import { defineSiteOperation, type InputOf, type OutputOf } from '../operation.ts'
import { crawlerRead, purpose, window } from '../parameters.ts'
import { ADDRESS_LIST_STATES, IDENTITIES, PURPOSES, SCOPES } from '../vocabulary.ts'
import { HiddenByPurposeFilter } from './performance.ts'

export const addressList = oneOf(
  ADDRESS_LIST_STATES,
  'Whether the service holds the list of addresses that the vendor publishes. Under not_held no request can be verified or refuted by its address, so identity rests on the user agent, reverse DNS or the provider alone.',
)

/** spec 2.5; `scope` and what follows it are additive (rules 2). */
export const Crawler = Type.Object(
  {
    crawler_id: Type.String(),
    platform: orNull(Type.String()),
    display_name: orNull(Type.String()),
    purpose: oneOf(PURPOSES, 'As the vendor declares it; unknown when undeclared.'),
    identity: oneOf(IDENTITIES, 'The weakest identity among the counted requests.'),
    observed_request_count: Count,
    observed_share: Share,
    scope: oneOf(SCOPES),
    identities: Type.Object(
      { unknown: Count, ua_identified: Count, provider_verified: Count, network_verified: Count },
      { description: 'The count of this row by identity; the four add up to it.' },
    ),
    impostor_request_count: Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Requests whose claim the vendor’s own published networks refute: a part of the count.',
    }),
    also_declared: Type.Array(Type.String(), { description: 'Further uses that the vendor declares.' }),
    address_list: addressList,
  },
  { title: 'Crawler' },
)
export type Crawler = Type.Static<typeof Crawler>

export const getCrawlers = defineSiteOperation({
  id: 'getCrawlers',
  ...crawlerRead,
  path: '/v1/sites/{site}/crawlers',
  summary: 'Crawlers that were observed, most requests first',
  query: Type.Object({ window, purpose }),
  output: Type.Object(
    { meta: Meta, crawlers: Type.Array(Crawler), hidden_by_purpose_filter: Type.Optional(HiddenByPurposeFilter) },
    { title: 'Crawlers' },
  ),
  mcp: { tool: 'get_crawlers' },
})
export type Crawlers = OutputOf<typeof getCrawlers>
export type CrawlersInput = InputOf<typeof getCrawlers>
