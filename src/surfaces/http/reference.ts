/** The public description of surface A: the OpenAPI document and the page drawn from it, nothing loaded from elsewhere (rules 7). */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { FastifyInstance } from 'fastify'
import { type OpenApiOptions, renderOpenApi } from '#contract/openapi.ts'
import { operations } from '#contract/site-api/index.ts'
import { refuseOtherMethods } from './methods.ts'

/** The document of surface A as it is served and committed (spec 9.1). */
export const siteApiDocument = (support_email: string | null) =>
  renderOpenApi(operations, { ...SITE_API, support_email })

/** `/v1/openapi.json`, `/docs` and the one script that the page needs; all without a key. */
export function registerReference(app: FastifyInstance, support_email: string | null): void {
  // Made when it is first asked for: a start need not wait for it.
  let document: string | undefined
  const script = createRequire(import.meta.url).resolve('rapidoc')
  const documentText = () => {
    document ??= JSON.stringify(siteApiDocument(support_email))
    return document
  }
  app.get('/v1/openapi.json', async (_request, reply) =>
    reply.type('application/json; charset=utf-8').header('cache-control', 'no-cache').send(documentText()),
  )
  app.get('/docs', async (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .headers({ 'cache-control': 'no-cache', 'content-security-policy': PAGE_POLICY })
      .send(PAGE),
  )
  app.get('/docs/rapidoc.js', async (_request, reply) =>
    reply
      .type('text/javascript; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(await readFile(script)),
  )
  for (const url of ['/v1/openapi.json', '/docs', '/docs/rapidoc.js']) refuseOtherMethods(app, url, ['GET'])
}

const SITE_API = {
  title: 'Spoor site API',
  version: '1.0.0',
  description:
    'Observed evidence of crawlers and visitors on your sites. Every number is observed; unknown is null and never zero. ' +
    'Read meta.coverage_state before any count. New fields may be added to answers: let unknown ones pass. ' +
    'Built so far: listSites, getPerformance, getCrawlers, getTopPages, getSources. The other operations are defined here and ' +
    'answer with a problem (503, or 500 of type not_built) until they are built.',
  server: '/',
  tags: {
    Sites: 'The sites that a key may read.',
    Crawlers: 'Evidence from requests of crawlers, with its coverage.',
    Issues: 'Observed harm to crawlers, and what a URL lets them do now.',
    Analytics: 'Evidence from the tracker in visitors’ browsers.',
  },
} as const satisfies Omit<OpenApiOptions, 'support_email'>

/** The page's component writes style elements and attributes, and draws its icons from data addresses. */
const PAGE_POLICY = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Spoor API reference</title>
<link rel="icon" href="data:,">
<script type="module" src="/docs/rapidoc.js"></script>
</head>
<body>
<rapi-doc spec-url="/v1/openapi.json" load-fonts="false" render-style="read" show-header="false" theme="light"
  allow-spec-url-load="false" allow-spec-file-load="false" allow-server-selection="false"></rapi-doc>
</body>
</html>
`
