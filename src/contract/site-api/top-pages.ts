import Type from 'typebox'
import { Count, oneOf, orNull, Share } from '../fields.ts'
import { Meta } from '../meta.ts'
import { defineSiteOperation, type InputOf, type OutputOf } from '../operation.ts'
import { crawlerRead, limit, purpose, window } from '../parameters.ts'
import { PATH_CLASSES, PATH_FIDELITIES } from '../vocabulary.ts'
import { HiddenByPurposeFilter } from './performance.ts'

/** spec 2.5; `path_class` and `path_fidelity` are additive (decisions 3.3, 3.6). */
export const Page = Type.Object(
  {
    host: Type.String(),
    path: Type.String(),
    observed_request_count: Count,
    observed_share: Share,
    observed_crawler_count: Count,
    observed_response_count: Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Of these requests, those whose HTTP response was observed.',
    }),
    path_class: oneOf(PATH_CLASSES),
    path_fidelity: oneOf(PATH_FIDELITIES),
  },
  { title: 'Page' },
)
export type Page = Type.Static<typeof Page>

export const getTopPages = defineSiteOperation({
  id: 'getTopPages',
  ...crawlerRead,
  path: '/v1/sites/{site}/top-pages',
  summary: 'Pages that crawlers requested, most requests first',
  query: Type.Object({
    window,
    purpose,
    limit: limit({ maximum: 50, default: 50, description: 'Most pages to return.' }),
  }),
  output: Type.Object(
    {
      meta: Meta,
      limit: Type.Integer({ minimum: 1, maximum: 50 }),
      returned_count: Type.Integer({ minimum: 0, maximum: 50 }),
      total_count: orNull(Count),
      truncated: Type.Boolean(),
      pages: Type.Array(Page, { maxItems: 50 }),
      hidden_by_purpose_filter: Type.Optional(HiddenByPurposeFilter),
    },
    { title: 'TopPages' },
  ),
  mcp: { tool: 'get_top_pages' },
})
export type TopPages = OutputOf<typeof getTopPages>
export type TopPagesInput = InputOf<typeof getTopPages>
