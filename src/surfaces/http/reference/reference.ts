/** The public description of both APIs: OpenAPI documents and the page drawn from them (rules 7). */
import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { pagePolicy } from '../safe-headers.ts'
import { refuseOtherMethods } from '../unsupported-methods.ts'
import { accountApiDocument } from './account-api.ts'
import { type ReferenceDocument, renderReference } from './page.ts'
import { siteApiDocument } from './site-api.ts'

const STYLE_URL = '/docs/reference.css'
const DOCUMENTS: readonly { url: string; render(of: ReferenceOptions): object }[] = [
  { url: '/v1/openapi.json', render: ({ support_email }) => siteApiDocument(support_email) },
  {
    url: '/api/v1/openapi.json',
    render: ({ support_email, has_deprecated_routes }) => accountApiDocument(support_email, has_deprecated_routes),
  },
]

export interface ReferenceOptions {
  support_email: string | null
  /** Whether the deprecated routes of surface B answer. */
  has_deprecated_routes: boolean
}

/** The documents, `/docs` and its style sheet; all without a key. */
export function registerReference(app: FastifyInstance, options: ReferenceOptions): void {
  // Made when they are first asked for: a start need not wait for them.
  let texts: { documents: Map<string, string>; page: string } | undefined
  const render = () => {
    if (texts === undefined) {
      const documents = new Map(DOCUMENTS.map(({ url, render }) => [url, JSON.stringify(render(options))]))
      const parsed = [...documents].map(([url, text]) => ({ url, document: JSON.parse(text) as ReferenceDocument }))
      texts = { documents, page: renderReference(parsed, STYLE_URL) }
    }
    return texts
  }
  for (const { url } of DOCUMENTS) {
    app.get(url, async (_request, reply) =>
      reply
        .type('application/json; charset=utf-8')
        .header('cache-control', 'no-cache')
        .send(render().documents.get(url)),
    )
  }
  app.get('/docs', async (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .headers({ 'cache-control': 'no-cache', 'content-security-policy': PAGE_POLICY })
      .send(render().page),
  )
  app.get(STYLE_URL, async (_request, reply) =>
    reply.type('text/css; charset=utf-8').header('cache-control', 'no-cache').send(STYLE),
  )
  for (const url of [...DOCUMENTS.map((each) => each.url), '/docs', STYLE_URL]) refuseOtherMethods(app, url, ['GET'])
}

const STYLE = readFileSync(new URL('reference.css', import.meta.url), 'utf8')

const PAGE_POLICY = pagePolicy("style-src 'self'")
