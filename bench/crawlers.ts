/**
 * How fast crawler reads answer over HTTP, at 1, 3, 10 and 30 million observed requests of one site: 400 days, 50,000
 * paths (Zipf, exponent 1), 15 agents; with --one-each, only top-pages, and no path is requested twice. Run:
 * npm run bench -- crawlers [--one-each] [--folder=KEPT] [--only=fill|dirty|derive|read] [millions…]
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createSiteKey } from '#accounts/site-keys.ts'
import { systemClock } from '#clock.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import { rebuildDirtyDays } from '#crawlers/roll-ups/rebuild-roll-ups.ts'
import { dirtyAllDays, fillSite } from './parts/crawler-history.ts'
import { percentile, row } from './parts/figures.ts'
import { buildSurfaces, openData } from './parts/open-data.ts'

const READS = ['performance', 'crawlers', 'top-pages', 'sources', 'crawlers/gptbot', 'unregistered-agents']
const WINDOWS = ['30d', '365d']
const PHASES = ['fill', 'dirty', 'derive', 'read']
const RUNS = 40
/** Answers in parts take seconds. */
const RUNS_ONE_EACH = 3
const MIB = 2 ** 20

const { values, positionals } = parseArgs({
  options: { 'one-each': { type: 'boolean' }, folder: { type: 'string' }, only: { type: 'string' } },
  allowPositionals: true,
})
const isOneEach = values['one-each'] === true
const phases = values.only?.split(',') ?? PHASES
const reads = isOneEach ? ['top-pages'] : READS
for (const million of positionals.length > 0 ? positionals.map(Number) : [1, 3, 10, 30]) await measure(million)

async function measure(million: number): Promise<void> {
  const folder =
    values.folder === undefined
      ? mkdtempSync(join(tmpdir(), 'spoor-bench-'))
      : join(values.folder, `${million}${isOneEach ? '-one-each' : ''}`)
  const isFilled = existsSync(join(folder, 'control.sqlite'))
  const clock = systemClock()
  const installation = await openData(folder, { clock })
  try {
    const crawlers = await installation.crawlers()
    if (!isFilled) await fillSite(installation, million * 1_000_000, isOneEach ? { paths: 'one each' } : {})
    const { id: siteId } = await crawlers.control.db.selectFrom('sites').select('id').executeTakeFirstOrThrow()
    const http = buildSurfaces(installation, crawlers)
    const url = await http.listen({ host: '127.0.0.1', port: 0 })
    const { secret } = await createSiteKey(installation.operator, {
      user_id: installation.operator.user_id,
      name: 'bench',
    })
    const ask = async (operation: string, window: string) => {
      const answer = await fetch(`${url}/v1/sites/${siteId}/${operation}?window=${window}`, {
        headers: { authorization: `Bearer ${secret}` },
      })
      const body = await answer.text()
      if (answer.status !== 200) throw new Error(body)
    }

    console.log(`\n${million} million requests\n`)
    console.log(row('read', 'clients', 'p50 ms', 'p99 ms', 'first ms', 'cpu ms each'))
    if (phases.includes('dirty')) {
      await dirtyAllDays(crawlers, siteId)
      for (const operation of reads.slice(0, 3))
        await report(`${operation} 365d, all days dirty`, 1, 5, () => ask(operation, '365d'))
    }
    if (phases.includes('derive')) {
      await dirtyAllDays(crawlers, siteId)
      const started = clock.elapsed()
      const before = process.cpuUsage()
      const days = await rebuildDirtyDays(crawlers)
      const took = Math.round(clock.elapsed() - started)
      console.log(row(`rebuild of ${days} days`, '', took, '', '', Math.round(cpuMs(before))))
    }
    if (phases.includes('read')) {
      for (const clients of [1, 4]) {
        for (const window of WINDOWS) {
          for (const operation of reads)
            await report(`${operation} ${window}`, clients, isOneEach ? RUNS_ONE_EACH : RUNS, () =>
              ask(operation, window),
            )
        }
      }
    }
    await reportMemory(crawlers)
    await http.close()
  } finally {
    await installation.close()
    if (values.folder === undefined) rmSync(folder, { recursive: true })
  }
}

async function report(name: string, clients: number, runs: number, work: () => Promise<void>): Promise<void> {
  const took = async () => {
    const started = performance.now()
    await work()
    return performance.now() - started
  }
  const first = await took()
  const times: number[] = []
  const before = process.cpuUsage()
  const client = async () => {
    for (let run = 0; run < runs; run++) times.push(await took())
  }
  await Promise.all(Array.from({ length: clients }, client))
  const cpu = cpuMs(before) / times.length
  const cells = [percentile(times, 50), percentile(times, 99), first, cpu].map((each) => each.toFixed(1))
  console.log(row(name, clients, ...cells))
}

/** Processor time of this process since then, of all its threads. */
function cpuMs(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

async function reportMemory({ evidence, derived }: CrawlerContext): Promise<void> {
  const { memory_bytes } = await evidence.state()
  const mib = (bytes: number) => `${Math.round(bytes / MIB)} MiB`
  console.log(
    row(
      'memory: process, engine, kept',
      '',
      ...[process.memoryUsage().rss, memory_bytes, derived.answers.bytes].map(mib),
    ),
  )
}
