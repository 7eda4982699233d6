/** The public description of surface A: the OpenAPI document and its page, nothing loaded from elsewhere (rules 7). */
import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { type OpenApiOptions, renderOpenApi } from '#contract/openapi.ts'
import { operations } from '#contract/site-api/index.ts'
import { refuseOtherMethods } from '../methods.ts'
import examples from './examples.json' with { type: 'json' }
import { type ReferenceDocument, renderReference } from './page.ts'

/** The document of surface A as it is served and committed (spec 9.1). */
export const siteApiDocument = (support_email: string | null) =>
  renderOpenApi(operations, { ...SITE_API, support_email })

const STYLE_URL = '/docs/reference.css'
const DOCUMENT_URL = '/v1/openapi.json'

/** `/v1/openapi.json`, `/docs` and its style sheet; all without a key. */
export function registerReference(app: FastifyInstance, support_email: string | null): void {
  // Made when it is first asked for: a start need not wait for it.
  let texts: { document: string; page: string } | undefined
  const render = () => {
    if (texts === undefined) {
      const document = JSON.stringify(siteApiDocument(support_email))
      const parsed = JSON.parse(document) as ReferenceDocument
      texts = { document, page: renderReference(parsed, { style_url: STYLE_URL, document_url: DOCUMENT_URL }) }
    }
    return texts
  }
  app.get(DOCUMENT_URL, async (_request, reply) =>
    reply.type('application/json; charset=utf-8').header('cache-control', 'no-cache').send(render().document),
  )
  app.get('/docs', async (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .headers({ 'cache-control': 'no-cache', 'content-security-policy': PAGE_POLICY })
      .send(render().page),
  )
  app.get(STYLE_URL, async (_request, reply) =>
    reply.type('text/css; charset=utf-8').header('cache-control', 'no-cache').send(STYLE),
  )
  for (const url of [DOCUMENT_URL, '/docs', STYLE_URL]) refuseOtherMethods(app, url, ['GET'])
}

const STYLE = readFileSync(new URL('reference.css', import.meta.url), 'utf8')

const SITE_API = {
  title: 'Spoor site API',
  version: '1.0.0',
  description:
    'Observed evidence of crawlers and visitors on your sites. Every number is observed; unknown is null and never zero. ' +
    'Read meta.coverage_state before any count. New fields may be added to answers: let unknown ones pass.',
  server: '/',
  examples,
  tags: {
    Sites: 'The sites that a key may read.',
    Crawlers: 'Evidence from requests of crawlers, with its coverage.',
    Issues: 'Observed harm to crawlers, and what a URL lets them do now.',
    Analytics: 'Evidence from the tracker in visitors’ browsers.',
  },
} as const satisfies Omit<OpenApiOptions, 'support_email'>

/** The page has no script and no inline style. */
const PAGE_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')
