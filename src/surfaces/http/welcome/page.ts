/** The page of a one-time link: static, nothing from elsewhere, no secret in any sent URL (rules 7). */
import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { WELCOME_PATH as PATH } from '#accounts/one-time-links.ts'
import { pagePolicy } from '../safe-headers.ts'
import { refuseOtherMethods } from '../unsupported-methods.ts'

/** Serves the page of one-time links, without the dashboard. */
export function registerWelcome(app: FastifyInstance): void {
  for (const { url, type, content } of FILES) {
    app.get(url, async (_request, reply) =>
      reply
        .type(`${type}; charset=utf-8`)
        .headers({ 'cache-control': 'no-cache', 'content-security-policy': POLICY })
        .send(content),
    )
    refuseOtherMethods(app, url, ['GET'])
  }
}

const POLICY = pagePolicy("script-src 'self'", "style-src 'self'", "connect-src 'self'")

const FILES = [
  { url: PATH, type: 'text/html', content: read('welcome.html') },
  { url: `${PATH}/welcome.js`, type: 'text/javascript', content: read('welcome.js') },
  { url: `${PATH}/welcome.css`, type: 'text/css', content: read('welcome.css') },
]

function read(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8')
}
