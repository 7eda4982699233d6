/**
 * Writes what a real service answers to each operation of surface A, for the OpenAPI document and /docs: `npm run
 * record-examples`. The demo runs with a fixed clock and seed, so that only random ids differ from one run to the next.
 * Operations that call other servers are recorded from a demo without a fixed clock, which answers for example.com
 * itself.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { operations, type SiteOperationId } from '#contract/site-api/index.ts'

const OUTPUT = new URL('../src/surfaces/http/reference/examples.json', import.meta.url)
const SITE = 'example.com'
const DEMO = ['demo', '--json', '--days', '30']
const FIXED_CLOCK = ['--clock', '2026-03-10T12:00:00Z']
/** The query of each example. Answers are kept short, so that people read them. */
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
  verifyIssue: '',
}

/** Where the demo listens, and the key that it prints. */
interface Demo {
  url: string
  key: string
}

type Examples = Record<string, { request: string; answer: unknown }>

/** Runs a demo until `work` is done. */
async function withDemo<T>(options: readonly string[], work: (demo: Demo) => Promise<T>): Promise<T> {
  const child = spawn(process.execPath, ['bin/spoor.mjs', ...DEMO, ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    let text = ''
    for await (const part of child.stdout.setEncoding('utf8')) {
      text += part
      if (text.trimEnd().endsWith('}')) break
    }
    return await work(JSON.parse(text) as Demo)
  } finally {
    child.kill('SIGTERM')
    if (child.exitCode === null) await once(child, 'exit')
  }
}

async function ask({ url, key }: Demo, method: string, path: string, body?: unknown) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const response = await fetch(`${url}${path}`, { method, headers, ...sent })
  return { status: response.status, answer: (await response.json()) as unknown }
}

/** The examples of operations that only read. */
async function recordReads(demo: Demo): Promise<Examples> {
  const { answer } = await ask(demo, 'GET', `/v1/sites/${SITE}/funnels?window=3d`)
  const [funnel] = (answer as { funnels: { slug: string }[] }).funnels
  const examples: Examples = {}
  for (const { id, method, path } of operations) {
    if (method !== 'GET') continue
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

/** The examples of operations that call other servers. */
async function recordVisits(demo: Demo): Promise<Examples> {
  const path = `/v1/sites/${SITE}/access-checks`
  const checked = await ask(demo, 'POST', path, { url: `https://${SITE}/pricing` })
  if (checked.status !== 200) throw new Error(`${path} answered ${checked.status}: ${JSON.stringify(checked.answer)}`)
  return {
    runAccessCheck: { request: `POST ${path}`, answer: checked.answer },
    verifyIssue: await recordVerification(demo),
  }
}

/** Of the first issue that is listed. */
async function recordVerification(demo: Demo): Promise<Examples[string]> {
  const listed = await ask(demo, 'GET', `/v1/sites/${SITE}/issues?limit=1`)
  const [issue] = (listed.answer as { issues: { id: string }[] }).issues
  const path = `/v1/sites/${SITE}/issues/${issue?.id}/verify`
  const { status, answer } = await ask(demo, 'POST', path)
  if (status !== 200) throw new Error(`${path} answered ${status}: ${JSON.stringify(answer)}`)
  return { request: `POST ${path}`, answer }
}

const examples = { ...(await withDemo(FIXED_CLOCK, recordReads)), ...(await withDemo([], recordVisits)) }
await writeFile(OUTPUT, `${JSON.stringify(examples, null, 2)}\n`)
console.log(`wrote ${Object.keys(examples).length} examples`)
