/**
 * How fast the four crawler reads answer over HTTP, at 1, 3, 10 and 30 million observed requests of one site: 400 days,
 * 50,000 paths (Zipf, exponent 1), 15 agents; with `one-each`, top-pages alone where no path was asked for twice. Run:
 * npm run bench -- crawlers [one-each] [millions…]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { createSiteKey } from '#accounts/site-keys.ts'
import { systemClock } from '#clock.ts'
import { readConfig } from '#config.ts'
import { rebuildDirtyDays } from '#crawlers/roll-ups/rebuild-roll-ups.ts'
import { openInstallation } from '../src/installation.ts'
import { surfaceA } from '../src/main.ts'
import { fillSite } from './crawler-history.ts'
import { percentile, row } from './figures.ts'

const OPERATIONS = ['performance', 'crawlers', 'top-pages', 'sources'] as const
const WINDOWS = ['30d', '365d'] as const
const RUNS = 40
/** Answers in parts take seconds. */
const RUNS_ONE_EACH = 3

const given = process.argv.slice(2)
const isOneEach = given[0] === 'one-each'
const sizes = given.slice(isOneEach ? 1 : 0).map(Number)
const millions = sizes.length > 0 ? sizes : [1, 3, 10, 30]
const operations = isOneEach ? (['top-pages'] as const) : OPERATIONS
const medians = new Map<string, number>()
for (const million of millions) await measure(million)

async function measure(million: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'spoor-bench-'))
  const log = pino({ level: 'silent' })
  const clock = systemClock()
  const installation = await openInstallation({ config: { ...readConfig({}), data: folder }, clock, log, wait_ms: 0 })
  try {
    const siteId = await fillSite(installation, million * 1_000_000, isOneEach ? 'one each' : undefined)
    const crawlers = await installation.crawlers()
    const http = surfaceA(installation, crawlers, { log, support_email: null })
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
    console.log(row('read', 'clients', 'p50 ms', 'p99 ms', `of 1 million`))
    for (const operation of operations)
      await report(million, `${operation} 365d, all days dirty`, 1, 5, () => ask(operation, '365d'))
    const started = clock.elapsed()
    const days = await rebuildDirtyDays(crawlers)
    console.log(row(`rebuild of ${days} days`, '', Math.round(clock.elapsed() - started), '', ''))
    for (const clients of [1, 4]) {
      for (const window of WINDOWS) {
        for (const operation of operations) {
          await report(million, `${operation} ${window}`, clients, isOneEach ? RUNS_ONE_EACH : RUNS, () =>
            ask(operation, window),
          )
        }
      }
    }
    await http.close()
  } finally {
    await installation.close()
    rmSync(folder, { recursive: true })
  }
}

async function report(
  million: number,
  name: string,
  clients: number,
  runs: number,
  work: () => Promise<void>,
): Promise<void> {
  await work()
  const times: number[] = []
  const client = async () => {
    for (let run = 0; run < runs; run++) {
      const started = performance.now()
      await work()
      times.push(performance.now() - started)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  const median = percentile(times, 50)
  const key = `${name} ${clients}`
  if (million === 1) medians.set(key, median)
  const base = medians.get(key)
  console.log(
    row(
      name,
      clients,
      median.toFixed(1),
      percentile(times, 99).toFixed(1),
      base === undefined ? '' : (median / base).toFixed(2),
    ),
  )
}
