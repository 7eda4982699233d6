/**
 * How much slower getPerformance answers while 50 inspections are queued and made. The goal is that its p50 at most
 * doubles. One site with a million requests in 400 days; the inspected hosts run in a separate thread and answer at
 * once, with a robots.txt of 500 rules. Run: npm run bench -- inspections
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { createSiteKey } from '#accounts/site-keys.ts'
import { systemClock } from '#clock.ts'
import { readConfig } from '#config.ts'
import { rebuildDirtyDays } from '#crawlers/roll-ups/rebuild-roll-ups.ts'
import { queueInspections } from '#inspections/queue.ts'
import { runDueInspections } from '#inspections/run-due.ts'
import { addSite } from '#sites/sites.ts'
import { fillSite } from './parts/crawler-history.ts'
import { percentile, row } from './parts/figures.ts'
import { buildSurfaces, openData, SILENT } from './parts/open-data.ts'

const REQUESTS = 1_000_000
const QUEUED = 50
/** A site may have 20 baselines an hour. */
const SITES = 3
const RUNS = 100

/** CommonJS, as `eval` of a worker takes it. */
const SERVER = `
const { createServer } = require('node:http')
const { parentPort } = require('node:worker_threads')
const rules = Array.from({ length: 500 }, (_, index) => 'Disallow: /' + index + '/*a*b\\n').join('')
const page = '<html><head><title>A page</title></head><body>' + 'text '.repeat(10000) + '</body></html>'
const server = createServer((request, response) => {
  if (request.url === '/robots.txt') return response.end('User-agent: *\\n' + rules)
  response.setHeader('content-type', 'text/html').end(page)
})
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))`

const folder = mkdtempSync(join(tmpdir(), 'spoor-bench-'))
const clock = systemClock()
const config = readConfig({ SPOOR_ALLOW_NETWORKS: '127.0.0.0/8' })
const installation = await openData(folder, { clock, config })
const server = new Worker(SERVER, { eval: true })
const port = await new Promise<number>((resolve) => server.once('message', resolve))
try {
  const site = await fillSite(installation, REQUESTS)
  const crawlers = await installation.crawlers()
  await rebuildDirtyDays(crawlers)
  const http = buildSurfaces(installation, crawlers)
  const url = await http.listen({ host: '127.0.0.1', port: 0 })
  const { user_id } = installation.operator
  const { secret } = await createSiteKey(installation.operator, { user_id, name: 'bench' })
  const ask = async () => {
    const started = performance.now()
    const answer = await fetch(`${url}/v1/sites/${site}/performance?window=30d`, {
      headers: { authorization: `Bearer ${secret}` },
    })
    const body = await answer.text()
    if (answer.status !== 200) throw new Error(body)
    return performance.now() - started
  }
  const measure = async () => {
    const times: number[] = []
    for (let run = 0; run < RUNS; run++) times.push(await ask())
    return times
  }
  await measure()
  const before = await measure()
  const stop = new AbortController()
  const inspecting = inspectOverAndOver(stop.signal)
  const during = await measure()
  stop.abort()
  const made = await inspecting
  const after = await measure()
  await http.close()
  console.log(row('getPerformance 30d', 'p50 ms', 'p99 ms'))
  for (const [name, times] of Object.entries({ before, during, after }))
    console.log(row(name, percentile(times, 50).toFixed(1), percentile(times, 99).toFixed(1)))
  const ratio = percentile(during, 50) / percentile([...before, ...after], 50)
  console.log(`p50 during the inspections: ${ratio.toFixed(2)} times; ${made} were made during that time`)
} finally {
  await server.terminate()
  await installation.close()
  rmSync(folder, { recursive: true })
}

/** Queues 50 whenever all have been made, so that some are always waiting; returns how many were made. */
async function inspectOverAndOver(signal: AbortSignal): Promise<number> {
  const { control, operator } = installation
  const { db } = control
  const sites = await Promise.all(
    Array.from({ length: SITES }, (_, index) =>
      addSite(operator, { ...operator, domain: `inspected-${index}.example` }),
    ),
  )
  const ctx = {
    ...(await installation.crawlers()),
    log: SILENT,
    public_url: null,
    control_urls: [],
    outgoing: { ...config, allow_ports: new Set([port]), own_endpoints: () => [], resolve: async () => ['127.0.0.1'] },
    originOf: (_: string, host: string) => `http://${host}:${port}`,
  }
  let made = 0
  while (!signal.aborted) {
    // The hourly budget must not limit the measurement.
    await db.deleteFrom('inspections').execute()
    const inputs = Array.from({ length: QUEUED }, (_, index) => {
      const { id: site_id, root_domain } = sites[index % SITES] as (typeof sites)[0]
      const page = {
        site_id,
        host: `h${index}.${root_domain}`,
        path: `/${index}`,
        crawler_id: 'gptbot',
        issue_id: null,
      }
      return { ...page, reason: 'baseline' as const }
    })
    await queueInspections(db, inputs, clock.now())
    made += await runDueInspections(ctx, new AbortController().signal)
  }
  return made
}
