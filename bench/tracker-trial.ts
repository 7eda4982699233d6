/**
 * The tracker as a new user tries it: a small shop with the snippet, a real Chromium that visits it as several
 * visitors, and the service on a fresh folder, managed by its command line; then every answer and its CSV are compared
 * with the visits. Run: npm run bench -- tracker-trial
 */
import { deepStrictEqual } from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { openBrowser } from '../test/support/browser.ts'
import { REBUILD, readCsv } from '../test/support/csv.ts'
import { freePort } from '../test/support/free-port.ts'
import { type Answers, reported } from './tracker-trial/answers.ts'
import { openShop } from './tracker-trial/shop.ts'
import { FROM_SERVER, VISITORS, WALKED } from './tracker-trial/visitors.ts'

const SITE = 'example.com'
const MAIN = new URL('../cli/main.ts', import.meta.url).pathname
const MAX_WAIT_MS = 30_000
/** The operation whose CSV form each answer has. */
const CSV_FORMS = {
  overview: 'getAnalyticsOverview',
  'analytics-sources': 'getAnalyticsSources',
  pages: 'getAnalyticsPages',
  conversions: 'getAnalyticsConversions',
  funnels: 'getAnalyticsFunnels',
  funnel: 'getAnalyticsFunnel',
  journeys: 'getAnalyticsJourneys',
  revenue: 'getAnalyticsRevenue',
}
const folder = mkdtempSync(join(tmpdir(), 'spoor-tracker-'))
const data = join(folder, 'data')
const port = await freePort()
const url = `http://127.0.0.1:${port}`
const env = { ...process.env, UV_THREADPOOL_SIZE: '16', SPOOR_METRICS_LISTEN: 'off' }

const service = await serve()
let shop: Awaited<ReturnType<typeof openShop>> | undefined
try {
  await spoor('site', 'add', SITE)
  const { secret } = JSON.parse(await spoor('key', 'create', '--name', 'trial', '--json')) as { secret: string }
  const shown = JSON.parse(await spoor('tracker', 'enable', SITE, '--json')) as { snippet: string }
  const key = /spoor_pub_[\w-]+/.exec(shown.snippet)?.[0]
  await spoor('property', 'add', SITE, 'signup', 'plan', '--kind', 'enum', '--value', 'free', '--value', 'pro')
  await spoor('conversion', 'add', SITE, '--name', 'Signed up', '--event', 'signup', '--rule', 'plan=pro')
  await spoor('conversion', 'add', SITE, '--name', 'Bought', '--page', 'www.example.com/thanks')
  const steps = ['page:www.example.com/', 'page:www.example.com/shoes', 'conversion:Bought'].flatMap((step) => [
    '--step',
    step,
  ])
  await spoor('funnel', 'add', SITE, '--name', 'Look to buy', ...steps)

  const tag = (options = '') =>
    `<script defer src="http://stats.example.net/spoor.js?site=${key}" data-site="${key}" ${options}></script>`
  shop = await openShop(tag)
  const hosts = { 'stats.example.net': port, 'chatgpt.com': shop.tls_port, 'perplexity.ai': shop.tls_port }
  for (const [who, { user_agent, setting, walk }] of Object.entries(VISITORS)) {
    const named = user_agent === null ? {} : { user_agent }
    const browser = await openBrowser({ port: shop.port, hosts, ...named })
    const page = await (await browser.newContext({ ignoreHTTPSErrors: true })).newPage()
    if (setting !== undefined) await page.addInitScript(setting)
    await walk(page)
    const closed = page.waitForEvent('close')
    await page.close({ runBeforeUnload: true })
    await closed
    // The browser sends a closed tab's last request.
    await pause(500)
    await browser.close()
    console.log(`walked: ${who}`)
  }

  const server_key = JSON.parse(await spoor('tracker', 'key', 'create', SITE, '--json')) as { secret: string }
  const sent_by_server = await fetch(`${url}/collect/server`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server_key.secret}`, 'content-type': 'application/json' },
    body: JSON.stringify(FROM_SERVER),
  })
  deepStrictEqual(await sent_by_server.json(), { accepted: FROM_SERVER.length, rejected: [] })
  deepStrictEqual(await settled(secret), WALKED)
  console.log('Every answer equals the visits.')
  const { funnels } = (await ask(secret, 'funnels')) as Answers['funnels']
  for (const [operation, id] of Object.entries(CSV_FORMS)) {
    const path = operation === 'funnel' ? `funnels/${funnels[0]?.slug}` : operation
    const { records } = readCsv((await ask(secret, path, 'csv')) as string)
    deepStrictEqual(atAnyInstant(REBUILD[id]?.(records)), atAnyInstant(await ask(secret, path)))
  }
  console.log('Every CSV says the same as its JSON.')
} finally {
  shop?.close()
  if (service.exitCode === null) {
    service.kill('SIGTERM')
    await once(service, 'exit')
  }
  rmSync(folder, { recursive: true, force: true })
}

/** The answers once they report all visits, or when the wait is over. */
async function settled(key: string): Promise<unknown> {
  const before = Date.now() + MAX_WAIT_MS
  for (;;) {
    const seen = reported(await answers(key))
    if (isDeepStrictEqual(seen, WALKED) || Date.now() > before) return seen
    await pause(1000)
  }
}

/** An answer without its time, in which two answers from the same evidence differ. */
function atAnyInstant(answer: unknown): unknown {
  const instants = ['as_of', 'cutoff', 'checked_at', 'data_through']
  return JSON.parse(JSON.stringify(answer, (name, value) => (instants.includes(name) ? undefined : value)))
}

async function answers(key: string): Promise<Answers> {
  const funnels = (await ask(key, 'funnels')) as Answers['funnels']
  const rest = ['overview', 'analytics-sources', 'pages', 'conversions', 'journeys', 'revenue'] as const
  const asked = await Promise.all(rest.map(async (operation) => [operation, await ask(key, operation)]))
  const funnel = await ask(key, `funnels/${funnels.funnels[0]?.slug}`)
  return { ...Object.fromEntries(asked), funnels, funnel }
}

async function ask(key: string, path: string, format: 'json' | 'csv' = 'json'): Promise<unknown> {
  const answer = await fetch(`${url}/v1/sites/${SITE}/${path}?window=3d&format=${format}`, {
    headers: { authorization: `Bearer ${key}` },
  })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return format === 'csv' ? answer.text() : answer.json()
}

/** Ready when it answers. */
async function serve(): Promise<ChildProcess> {
  const child = spawn('node', [MAIN, 'serve', '--port', String(port), '--data', data], { stdio: 'ignore', env })
  for (let tries = 0; tries < 600; tries++) {
    const answer = await fetch(`${url}/readyz`).catch(() => null)
    await answer?.arrayBuffer()
    if (answer?.ok) return child
    await pause(50)
  }
  throw new Error('the service did not start')
}

async function spoor(...args: string[]): Promise<string> {
  const child = spawn('node', [MAIN, ...args, '--data', data], { stdio: ['ignore', 'pipe', 'inherit'], env })
  const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  if (code !== 0) throw new Error(`spoor ${args.join(' ')}: exit code ${code}`)
  return said
}
