/**
 * How fast crawler reads of 30 days answer over HTTP while requests of the open day arrive, which is derived each
 * minute as a running service does it. Run: npm run bench -- crawlers-open-day [million requests of the open day,
 * default 3] [that arrive a second, default 2700]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pino from 'pino'
import { createSiteKey } from '#accounts/site-keys.ts'
import { systemClock } from '#clock.ts'
import { readConfig } from '#config.ts'
import { rebuildDirtyDays } from '#crawlers/roll-ups/rebuild-roll-ups.ts'
import { utcDay } from '#days/utc-day.ts'
import { openInstallation } from '../src/installation.ts'
import { surfaceA } from '../src/main.ts'
import { addRequests, fillSite } from './crawler-history.ts'
import { percentile, row } from './figures.ts'

const READS = ['performance', 'crawlers', 'top-pages', 'crawlers/gptbot', 'unregistered-agents']
const RUNS = 100
const PATHS = 50_000
const INSERTS_A_SECOND = 2

const [million = 3, a_second = 2_700] = process.argv.slice(2).map(Number)
const folder = mkdtempSync(join(tmpdir(), 'spoor-bench-'))
const log = pino({ level: 'silent' })
const clock = systemClock()
const installation = await openInstallation({ config: { ...readConfig({}), data: folder }, clock, log, wait_ms: 0 })
const stopped = new AbortController()
try {
  const site_id = await fillSite(installation, million * 1_000_000, PATHS, 1)
  const crawlers = await installation.crawlers()
  const http = surfaceA(installation, crawlers, { log, support_email: null })
  const url = await http.listen({ host: '127.0.0.1', port: 0 })
  const { user_id } = installation.operator
  const { secret } = await createSiteKey(installation.operator, { user_id, name: 'bench' })
  const share = Math.max(1, Math.round((million * 1_000_000 * INSERTS_A_SECOND) / a_second))
  const day = utcDay(clock.now())

  const arrive = async () => {
    for (let run = 0; !stopped.signal.aborted; run++) {
      await addRequests(installation, crawlers.evidence, { site_id, day, share, run })
      await pause(1_000 / INSERTS_A_SECOND)
    }
  }
  const derive = async () => {
    while (!stopped.signal.aborted) {
      await rebuildDirtyDays(crawlers, () => stopped.signal.aborted, { open_day: 'each_minute' })
      await pause(1_000)
    }
  }
  const background = Promise.all([arrive(), derive()])
  console.log(row('read', 'runs', 'p50 ms', 'p99 ms', 'cpu ms each'))
  for (const operation of READS) {
    const times: number[] = []
    const before = process.cpuUsage()
    for (let run = 0; run < RUNS; run++) {
      const started = performance.now()
      const headers = { authorization: `Bearer ${secret}` }
      const answer = await fetch(`${url}/v1/sites/${site_id}/${operation}?window=30d`, { headers })
      const body = await answer.text()
      if (answer.status !== 200) throw new Error(body)
      times.push(performance.now() - started)
    }
    const { user, system } = process.cpuUsage(before)
    const figures = [percentile(times, 50), percentile(times, 99), (user + system) / 1_000 / RUNS]
    console.log(row(`${operation} 30d`, RUNS, ...figures.map((figure) => figure.toFixed(1))))
  }
  stopped.abort()
  await background
  await http.close()
} finally {
  stopped.abort()
  await installation.close()
  rmSync(folder, { recursive: true })
}
