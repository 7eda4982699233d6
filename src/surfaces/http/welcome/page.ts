/** The page of a one-time link: static, nothing from elsewhere, no secret in any sent URL (rules 7). */
import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { WELCOME_PATH as PATH } from '#accounts/one-time-links.ts'
import { refuseOtherMethods } from '../unsupported-methods.ts'

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

/** No inline script or style, no form that a browser would send by itself. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const FILES = [
  { url: PATH, type: 'text/html', content: read('welcome.html') },
  { url: `${PATH}/welcome.js`, type: 'text/javascript', content: read('welcome.js') },
  { url: `${PATH}/welcome.css`, type: 'text/css', content: read('welcome.css') },
]

function read(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8')
}
