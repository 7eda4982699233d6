/**
 * How long the service takes from its process start to its first ready answer, on data folders that hold 0 and 1
 * million observed requests of one site, with every day dirty and with roll-ups. Run: npm run bench -- ready [runs,
 * default 10] [millions…]
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { rebuildDirtyDays } from '#crawlers/roll-ups/rebuild-roll-ups.ts'
import type { Installation } from '#installation/installation.ts'
import { freePort } from '../test/support/free-port.ts'
import { fillSite } from './parts/crawler-history.ts'
import { percentile, row } from './parts/figures.ts'
import { openData } from './parts/open-data.ts'

const LAUNCHER = new URL('../bin/spoor.mjs', import.meta.url).pathname
const STEP_MS = 5
const [runs = 10, ...given] = process.argv.slice(2).map(Number)
const millions = given.length > 0 ? given : [0, 1]

console.log(row('data folder', 'starts', 'p50 ms', 'worst ms'))
for (const million of millions) await measure(million)

async function measure(million: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'spoor-bench-'))
  try {
    await opened(folder, (installation) => fillSite(installation, million * 1_000_000))
    const name = `${million} million requests`
    // Every start rebuilds what is dirty, so only the first start of a folder has all days dirty.
    await report(`${name}, all days dirty`, folder, 1)
    await opened(folder, async (installation) => rebuildDirtyDays(await installation.crawlers()))
    await report(`${name}, roll-ups`, folder, runs)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function opened(folder: string, work: (installation: Installation) => Promise<unknown>): Promise<void> {
  const installation = await openData(folder)
  await work(installation).finally(() => installation.close())
}

async function report(name: string, folder: string, starts: number): Promise<void> {
  const times: number[] = []
  for (let start = 0; start < starts; start++) times.push(await startOnce(folder))
  console.log(row(name, starts, Math.round(percentile(times, 50)), Math.round(Math.max(...times))))
}

/** Milliseconds from the start of the launcher's process to the first 200 of `/readyz`. */
async function startOnce(folder: string): Promise<number> {
  const port = await freePort()
  const started = performance.now()
  const args = [LAUNCHER, 'serve', '--data', folder, '--port', String(port)]
  const service = spawn('node', args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, SPOOR_LOG_LEVEL: 'error', SPOOR_METRICS_LISTEN: 'off' },
  })
  const ended = once(service, 'exit')
  let complaints = ''
  service.stderr.on('data', (part) => {
    complaints += part
  })
  await untilReady(service, `http://127.0.0.1:${port}/readyz`, () => complaints)
  const took = performance.now() - started
  service.kill('SIGTERM')
  await ended
  return took
}

async function untilReady(service: ChildProcess, url: string, complaints: () => string): Promise<void> {
  for (;;) {
    if (service.exitCode !== null) throw new Error(`the service ended before it was ready: ${complaints()}`)
    const answer = await fetch(url).catch(() => null)
    if (answer?.status === 200) return
    await pause(STEP_MS)
  }
}
