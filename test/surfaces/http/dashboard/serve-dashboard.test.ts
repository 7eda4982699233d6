/** A built dashboard, as Vite leaves it. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { registerDashboard } from '#surfaces/http/dashboard/serve-dashboard.ts'
import { makeTestFolder, removeTestFolder } from '../../../support/control.ts'

const SCRIPT = 'console.log("built")\n'.repeat(100)
const MANIFEST = {
  'index.html': { file: 'assets/main-4fA1.js', isEntry: true, imports: ['_common.js'] },
  '_common.js': { file: 'assets/common-1.js' },
  '_parts.js': { file: 'assets/parts-2.js', imports: ['_common.js'] },
  'pages/performance/page.tsx': { file: 'assets/page-3.js', imports: ['index.html', '_parts.js'] },
  '../node_modules/inter/inter-latin-wght-normal.woff2': { file: 'assets/inter-5.woff2' },
}
let folder: string
let app: FastifyInstance

beforeAll(() => {
  folder = makeTestFolder()
  for (const name of ['assets', '.vite']) mkdirSync(join(folder, name))
  writeFileSync(join(folder, 'index.html'), '<!doctype html><html lang="en"><head><title>Spoor</title></head></html>')
  writeFileSync(join(folder, 'assets', 'main-4fA1.js'), SCRIPT)
  writeFileSync(join(folder, 'assets', 'main-4fA1.js.map'), '{}')
  writeFileSync(join(folder, '.vite', 'manifest.json'), JSON.stringify(MANIFEST))
  writeFileSync(join(folder, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  app = Fastify()
  expect(registerDashboard(app, pathToFileURL(`${folder}/`))).toBe(true)
})
afterAll(async () => {
  await app.close()
  removeTestFolder(folder)
})

const ask = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })

test('the page is answered for the paths of the dashboard alone, never from a cache', async () => {
  for (const url of ['/', '/welcome', '/sign-in', '/sites', '/sites/a/performance?window=7d', '/brands/b/report']) {
    const page = await ask(url)
    expect([url, page.statusCode, page.headers['cache-control']]).toEqual([url, 200, 'no-store'])
    expect(page.headers['cross-origin-opener-policy']).toBe('same-origin')
  }
  for (const url of ['/.well-known/security.txt', '/v1/x', '/api/x', '/mcp', '/assets/none.js', '/favicon.ico']) {
    expect([url, (await ask(url)).statusCode]).toEqual([url, 404])
  }
})

test('its policy allows nothing from other origins, and only styles of this answer', async () => {
  const [one, two] = [await ask('/'), await ask('/')]
  const nonceOf = (page: typeof one) => /<meta property="csp-nonce" nonce="([^"]+)">/.exec(page.body)?.[1]
  expect(one.headers['content-security-policy']).toBe(
    `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonceOf(one)}'; font-src 'self'; ` +
      "img-src 'self' blob: data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  )
  expect(nonceOf(one)).not.toBe(nonceOf(two))
})

test('the theme of the cookie is on the page, and nothing else of the cookie', async () => {
  expect((await ask('/')).body).toContain('<html lang="en">')
  expect((await ask('/', { cookie: 'a=b; spoor_theme=dark' })).body).toContain('<html data-theme="dark" lang="en">')
  expect((await ask('/', { cookie: 'spoor_theme="><script>' })).body).not.toContain('data-theme')
})

test('the head names what the page will request: its script, the font, and the session of a signed-in person', async () => {
  const linksOf = async (url: string) =>
    [...(await ask(url)).body.matchAll(/<link rel="(\w+)"[^>]* href="([^"]+)">/g)].map(([, rel, href]) => [rel, href])
  const [font, session] = [
    ['preload', '/assets/inter-5.woff2'],
    ['preload', '/dashboard-api/getSession'],
  ]
  expect(await linksOf('/sites/a/performance?window=7d')).toEqual([
    session,
    ['modulepreload', '/assets/page-3.js'],
    ['modulepreload', '/assets/parts-2.js'],
    font,
  ])
  expect(await linksOf('/sites/a')).toEqual([session, font])
  expect(await linksOf('/sign-in')).toEqual([font])
})

test('files under hashed names may be kept for ever; maps and notes of the build are not served', async () => {
  const script = await ask('/assets/main-4fA1.js', { 'accept-encoding': 'gzip, br;q=0' })
  expect(script.headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-type': 'text/javascript; charset=utf-8',
    'content-encoding': 'gzip',
    vary: 'accept-encoding',
  })
  expect(gunzipSync(script.rawPayload).toString()).toBe(SCRIPT)
  const smaller = await ask('/assets/main-4fA1.js', { 'accept-encoding': 'gzip, deflate, br, zstd' })
  expect(smaller.headers['content-encoding']).toBe('br')
  expect(brotliDecompressSync(smaller.rawPayload).toString()).toBe(SCRIPT)
  expect((await ask('/assets/main-4fA1.js')).body).toBe(SCRIPT)
  expect((await ask('/icon.svg')).headers['cache-control']).toBe('no-cache')
  for (const url of ['/assets/main-4fA1.js.map', '/.vite/manifest.json', '/index.html']) {
    expect([url, (await ask(url)).statusCode]).toEqual([url, 404])
  }
})

test('without a build there is nothing to serve', () => {
  expect(registerDashboard(Fastify(), pathToFileURL(`${folder}/assets/`))).toBe(false)
})
