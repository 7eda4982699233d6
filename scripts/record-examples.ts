/**
 * Writes what a real service answers to each operation of surface A, for the OpenAPI document and /docs: `npm run
 * record-examples`. The demo runs with a fixed clock and seed, so that only random ids differ from one run to the next.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { operations, type SiteOperationId } from '#contract/site-api/index.ts'

const OUTPUT = new URL('../src/surfaces/http/reference/examples.json', import.meta.url)
const SITE = 'example.com'
const DEMO = ['demo', '--json', '--days', '30', '--clock', '2026-03-10T12:00:00Z']

/** The query of each example: short answers are read, long ones are not. */
const QUERIES: Readonly<Record<SiteOperationId, string>> = {
  listSites: '',
  getPerformance: 'window=3d&purpose=assistant',
  getCrawlers: 'window=3d&purpose=assistant',
  getTopPages: 'window=3d&limit=2',
  getIssues: 'limit=2',
  getSources: '',
  getAnalyticsOverview: 'window=3d',
  getAnalyticsSources: 'window=3d',
  getAnalyticsPages: 'window=3d&limit=2',
  getAnalyticsConversions: 'window=3d&limit=2',
  getAnalyticsFunnels: 'window=3d',
  getAnalyticsFunnel: 'window=3d',
  getAnalyticsJourneys: 'window=3d&limit=2',
  getAnalyticsRevenue: 'window=3d',
  getAnalyticsEvents: 'window=3d',
  runAccessCheck: '',
  getCrawler: 'window=3d&limit=2',
  getUnregisteredAgents: 'window=3d&limit=2',
}

/** Where the demo listens, and the key that it prints. */
interface Demo {
  url: string
  key: string
}

async function ask({ url, key }: Demo, method: string, path: string): Promise<{ status: number; answer: unknown }> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const body = method === 'POST' ? { body: JSON.stringify({ url: `https://${SITE}/pricing` }) } : {}
  const response = await fetch(`${url}${path}`, { method, headers, ...body })
  return { status: response.status, answer: await response.json() }
}

async function record(demo: Demo): Promise<Record<string, { request: string; answer: unknown }>> {
  const { answer } = await ask(demo, 'GET', `/v1/sites/${SITE}/funnels?window=3d`)
  const [funnel] = (answer as { funnels: { slug: string }[] }).funnels
  const examples: Record<string, { request: string; answer: unknown }> = {}
  for (const { id, method, path } of operations) {
    const filled = path
      .replace('{site}', SITE)
      .replace('{funnel}', String(funnel?.slug))
      .replace('{crawler_id}', 'claudebot')
    const request = QUERIES[id] === '' ? filled : `${filled}?${QUERIES[id]}`
    const { status, answer } = await ask(demo, method, request)
    if (status === 200) examples[id] = { request: `${method} ${request}`, answer }
    else console.log(`${id} has no example: it answered ${status}`)
  }
  return examples
}

const child = spawn(process.execPath, ['bin/spoor.mjs', ...DEMO], { stdio: ['ignore', 'pipe', 'inherit'] })
try {
  let text = ''
  for await (const part of child.stdout.setEncoding('utf8')) {
    text += part
    if (text.trimEnd().endsWith('}')) break
  }
  const examples = await record(JSON.parse(text) as Demo)
  await writeFile(OUTPUT, `${JSON.stringify(examples, null, 2)}\n`)
  console.log(`wrote ${Object.keys(examples).length} examples`)
} finally {
  child.kill('SIGTERM')
  if (child.exitCode === null) await once(child, 'exit')
}
