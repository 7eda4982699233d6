import { type OpenApiOptions, renderOpenApi } from '#contract/openapi.ts'
import { PROBLEM_MEDIA_TYPE, Problem } from '#contract/problem.ts'
import { operations } from '#contract/site-api/index.ts'
import examples from './examples.json' with { type: 'json' }

/** The document of surface A as it is served and committed (spec 9.1). */
export const siteApiDocument = (support_email: string | null) =>
  renderOpenApi(operations, { ...SITE_API, support_email })

const IGNORED = ['Spoor-Ignored-Parameters'] as const

const SITE_API = {
  title: 'Spoor site API',
  version: '1.0.0',
  description:
    'Observed evidence of crawlers and visitors on your sites. Every number is observed; unknown is null and never zero. ' +
    'Read meta.coverage_state before any count. New fields may be added to answers: let unknown ones pass.',
  server: '/',
  examples,
  bearer: 'A site key: spoor_site_…',
  answer_headers: IGNORED,
  failures: {
    body: Problem,
    media_type: PROBLEM_MEDIA_TYPE,
    component: 'Problem',
    descriptions: {
      400: 'A parameter or the request body is invalid.',
      401: 'The key is missing, unrecognized or revoked.',
      404: 'The site, or the thing named in it, is missing or not visible to the key.',
      405: 'The path does not support this method.',
      422: 'The request is well formed and cannot be processed.',
      500: 'The service failed.',
    },
    headers: {
      400: IGNORED,
      401: ['WWW-Authenticate'],
      404: IGNORED,
      405: ['Allow'],
      422: IGNORED,
      500: IGNORED,
      503: IGNORED,
    },
  },
  tags: {
    Sites: 'The sites that a key may read.',
    Crawlers: 'Evidence from requests of crawlers, with its coverage.',
    Issues: 'Observed harm to crawlers, and what a URL lets them do now.',
    Analytics: 'Evidence from the tracker in visitors’ browsers.',
  },
} as const satisfies Omit<OpenApiOptions, 'support_email'>
