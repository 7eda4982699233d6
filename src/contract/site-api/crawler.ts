/** Everything about one crawler: days, outcomes, identities and pages (spec 2.5). */
import Type from 'typebox'
import { Count, Day, ObservedCount, oneOf, orNull } from '../fields.ts'
import { Meta } from '../meta.ts'
import { defineSiteOperation, type InputOf, type OutputOf } from '../operation.ts'
import { limit, window } from '../parameters.ts'
import { IDENTITIES, PATH_CLASSES, PATH_FIDELITIES, PURPOSES, SCOPES } from '../vocabulary.ts'
import { addressList } from './crawlers.ts'
import { Outcome } from './performance.ts'

/** A status of a page, null where no response was observed. */
const PageStatus = Type.Object({
  http_status: Type.Union([Type.Integer({ minimum: 100 }), Type.Null()], {
    description: 'The HTTP status; null for requests whose response was not observed.',
  }),
  observed_request_count: ObservedCount,
})

const CrawlerPage = Type.Object(
  {
    host: Type.String({ description: 'Host name of the page.' }),
    path: Type.String({
      description: 'Path of the page, without its query string; parts that look like secrets are redacted.',
    }),
    observed_request_count: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Requests of this crawler for the page.',
    }),
    observed_share: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'Share of all requests of this crawler in the window.',
    }),
    observed_response_count: Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Of these requests, those whose HTTP response was observed.',
    }),
    statuses: Type.Array(PageStatus, {
      description: 'These requests by HTTP status, ascending; requests without an observed response come last.',
    }),
    path_class: oneOf(PATH_CLASSES, 'Content, or infrastructure such as robots.txt, sitemaps and assets.'),
    path_fidelity: oneOf(PATH_FIDELITIES, 'Whether the path is exact or holds redacted parts.'),
  },
  { title: 'CrawlerPage' },
)

export const CrawlerAnswer = Type.Object(
  {
    meta: Meta,
    crawler_id: Type.String({ description: 'Id of the crawler in the registry.' }),
    platform: orNull(Type.String(), 'The vendor; null when the registry names none.'),
    display_name: Type.String({ description: 'What the vendor calls the crawler.' }),
    purpose: oneOf(PURPOSES, 'As the vendor declares it; unknown when undeclared.'),
    scope: oneOf(SCOPES, 'What the crawler is to a site.'),
    also_declared: Type.Array(Type.String(), { description: 'Further uses that the vendor declares.' }),
    observed_request_count: orNull(Count, 'Requests of the window; null when they are unknown, never zero instead.'),
    identity: orNull(oneOf(IDENTITIES), 'The weakest identity among the requests; null while none was observed.'),
    identities: Type.Array(Type.Object({ identity: oneOf(IDENTITIES), observed_request_count: ObservedCount }), {
      description: 'The requests by identity, weakest first; unknown means that the address refutes the claim.',
    }),
    address_list: addressList,
    daily: Type.Array(Type.Object({ date: Day, observed_request_count: ObservedCount }), {
      description:
        'The requests by UTC day. A day without a row was unobserved if it lies in meta.gaps, else nothing came.',
    }),
    http_outcomes: Type.Array(Outcome, { description: 'The requests by outcome class and HTTP status.' }),
    limit: Type.Integer({ minimum: 1, maximum: 50, description: 'The effective limit of the list of pages.' }),
    returned_count: Type.Integer({ minimum: 0, maximum: 50, description: 'Number of pages in this answer.' }),
    total_count: orNull(Count, 'Number of pages that the crawler requested; null when it is unknown.'),
    truncated: Type.Boolean({ description: 'Whether there are more pages than this answer lists.' }),
    pages: Type.Array(CrawlerPage, { maxItems: 50, description: 'Pages with the most requests first.' }),
  },
  { title: 'CrawlerAnswer' },
)

export const getCrawler = defineSiteOperation({
  id: 'getCrawler',
  method: 'GET',
  path: '/v1/sites/{site}/crawlers/{crawler_id}',
  tag: 'Crawlers',
  summary: 'One crawler: requests by day, outcome and identity, and its pages with their statuses',
  description:
    'Takes no purpose filter: meta.purpose_filter lists all purposes. An id is unknown (404) when the registry in force has no crawler of that id whose requests are counted.',
  params: Type.Object({
    crawler_id: Type.String({
      minLength: 1,
      maxLength: 64,
      pattern: '^[ -~]+$',
      description: 'Id of a crawler as getCrawlers lists it, for example gptbot.',
    }),
  }),
  query: Type.Object({
    window,
    limit: limit({ maximum: 50, default: 50, description: 'Most pages to return.' }),
  }),
  output: CrawlerAnswer,
  refusals: [400, 401, 404, 405, 500],
})
export type CrawlerAnswer = OutputOf<typeof getCrawler>
export type CrawlerInput = InputOf<typeof getCrawler>
