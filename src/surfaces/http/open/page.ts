/** The page that opens a link which signs in: static, nothing from elsewhere, no secret in any sent URL (rules 7). */
import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { OPEN_PATH } from '#accounts/sign-in-links.ts'
import { pagePolicy } from '../safe-headers.ts'
import { refuseOtherMethods } from '../unsupported-methods.ts'

/** Serves the page at which a sign-in link is opened. */
export function registerOpenPage(app: FastifyInstance): void {
  for (const { url, type, content } of FILES) {
    app.get(url, async (_request, reply) =>
      reply.type(`${type}; charset=utf-8`).header('content-security-policy', POLICY).send(content),
    )
    refuseOtherMethods(app, url, ['GET'])
  }
}

const POLICY = pagePolicy("script-src 'self'", "connect-src 'self'")

const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')

const FILES = [
  { url: OPEN_PATH, type: 'text/html', content: read('open.html') },
  { url: `${OPEN_PATH}/open.js`, type: 'text/javascript', content: read('open.js') },
]
