/**
 * The built dashboard: its page at its own paths, its files under hashed names, nothing from elsewhere (decisions
 * 7.3). Before it is built, a page says so.
 */
import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readTheme } from '../dashboard-api/session-cookie.ts'
import { refuseOtherMethods } from '../unsupported-methods.ts'
import { type BuiltDashboard, type BuiltFile, readBuiltDashboard } from './built-files.ts'
import { compressFor } from './compress.ts'

/** The page answers these and what is below them; `/welcome` opens one-time links. */
const PAGES = ['/', '/welcome', '/sign-in', '/sites', '/sites/*', '/brands', '/brands/*', '/settings', '/settings/*']

/** @param folder what Vite wrote. @returns false when nothing is built there. */
export function registerDashboard(app: FastifyInstance, folder?: URL): boolean {
  const built = readBuiltDashboard(folder)
  if (built === null) return false
  for (const url of PAGES) {
    app.get(url, async (request, reply) => sendPage(built, request, reply))
    refuseOtherMethods(app, url, ['GET'])
  }
  for (const file of built.files) {
    app.get(file.url, { config: { is_frequent: true } }, async (request, reply) => sendFile(file, request, reply))
    refuseOtherMethods(app, file.url, ['GET'])
  }
  return true
}

const NONCE_BYTES = 16

/** The theme is on the first byte of the page, so that nothing flashes and no inline script is needed. */
function sendPage(
  { page, earlyLoads }: BuiltDashboard,
  { headers, url }: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const theme = readTheme(headers)
  const nonce = randomBytes(NONCE_BYTES).toString('base64')
  const html = page
    .replace(/<html\b/i, theme === 'system' ? '<html' : `<html data-theme="${theme}"`)
    .replace(/<head>/i, `<head><meta property="csp-nonce" nonce="${nonce}">`)
    .replace(/<\/head>/i, `${earlyLoads(url.split('?', 1)[0] as string)}</head>`)
  return reply
    .type('text/html; charset=utf-8')
    .headers({ ...PAGE_HEADERS, 'content-security-policy': policyOf(nonce), vary: 'cookie' })
    .send(html)
}

const PAGE_HEADERS = { 'cache-control': 'no-store', 'cross-origin-opener-policy': 'same-origin' }

/** TRICKY: react-aria adds constant style elements as it runs; they carry the nonce that the page names. */
const policyOf = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "font-src 'self'",
    "img-src 'self' blob: data:",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

async function sendFile(file: BuiltFile, { headers }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  reply.type(file.type).headers({
    'cache-control': file.is_hashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    vary: 'accept-encoding',
  })
  const compressed = file.is_text ? await compressFor(file, headers['accept-encoding'] ?? '') : null
  if (compressed === null) return reply.send(file.content)
  return reply.header('content-encoding', compressed.encoding).send(compressed.content)
}
