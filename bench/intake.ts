/**
 * How fast logs are taken over HTTPS intake, durable before the answer, against the engine's own rate of inserting the same facts as
 * JSONEachRow. Senders in a process of their own deliver batches that were compressed beforehand.
 * Run: UV_THREADPOOL_SIZE=16 node --max-semi-space-size=32 bench/intake.ts [batches of 5,000 records a figure, default 160] [senders, default 4]
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { pino } from 'pino'
import Type from 'typebox'
import { systemClock } from '#clock.ts'
import { readConfig } from '#config.ts'
import { count, rows } from '#evidence/sql.ts'
import { addSite } from '#sites/sites.ts'
import { addIntakeSource } from '#sources/sources.ts'
import { openInstallation } from '../src/installation.ts'
import { surfaceA } from '../src/main.ts'
import { percentile, row } from './figures.ts'
import { insertRate } from './insert-rate.ts'

const RECORDS = 5_000
const batches = Number(process.argv[2] ?? 160)
const senders = Number(process.argv[3] ?? 4)
const storedRequests = rows(Type.Object({ requests: count() }))`SELECT count() AS requests FROM spoor.requests FINAL`
const folder = mkdtempSync(join(tmpdir(), 'spoor-bench-'))
const sender = new URL('./intake-sender.ts', import.meta.url).pathname

/** What a sender process tells when all of its batches are answered. */
export interface Sent {
  accepted: number
  records: number
  milliseconds: number[]
  seconds: number
}

try {
  console.log(`${batches} batches of ${RECORDS} records, ${senders} at a time\n`)
  console.log(row('records', 'per s', 'p50 ms', 'p99 ms', 'own / wall ms', 'own µs/record'))
  await measure('20 % crawlers, warming up', 0.2, '', Math.ceil(batches / 4))
  const some = await measure('20 % crawlers', 0.2, '')
  const all = await measure('100 % crawlers', 1, '')
  const named = await measure('100 % crawlers, each with an id', 1, 'ids')
  const engine = await insertRate(join(folder, 'engine'), batches, RECORDS)
  console.log(row('the engine alone, the same facts', engine.toFixed(0), '', '', ''))
  console.log(`\n100 % crawlers is ${(all.rate / engine).toFixed(2)} of the engine's own rate`)
  const longest = Math.max(some.longest, all.longest, named.longest)
  console.log(`the event loop was held up for at most ${longest.toFixed(1)} ms`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function measure(name: string, crawlers: number, ids: string, sent = batches) {
  const data = mkdtempSync(join(folder, 'data-'))
  const log = pino({ level: 'silent' })
  const config = { ...readConfig({}), data, port: 0 }
  const installation = await openInstallation({ config, clock: systemClock(), log, wait_ms: 0 })
  const crawler = await installation.crawlers()
  const http = surfaceA(installation, crawler, { log, support_email: null })
  try {
    const site = await addSite(installation.operator, { ...installation.operator, domain: 'example.com' })
    const { token } = await addIntakeSource(installation.operator, { site_id: site.id, name: 'bench' })
    const url = await http.listen({ host: '127.0.0.1', port: 0 })
    const args = [url, token.secret, String(sent), String(RECORDS), String(senders), String(crawlers), ids]
    const child = fork(sender, args)
    await once(child, 'message')
    globalThis.gc?.()
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    const own = watchOwnWork()
    const before = process.threadCpuUsage()
    child.send('go')
    const [told] = (await once(child, 'message')) as [Sent]
    delay.disable()
    const own_longest = own.stop()
    const used = process.threadCpuUsage(before)
    const [stored] = await crawler.evidence.all(storedRequests)
    if (stored?.requests !== told.accepted)
      throw new Error(`${told.accepted} were acknowledged, ${stored?.requests} are stored`)
    const rate = told.records / told.seconds
    const longest = delay.max / 1e6
    console.log(
      row(
        name,
        rate.toFixed(0),
        percentile(told.milliseconds, 50).toFixed(0),
        percentile(told.milliseconds, 99).toFixed(0),
        `${own_longest.toFixed(1)} / ${longest.toFixed(1)}`,
        ((used.user + used.system) / told.records).toFixed(1),
      ),
    )
    return { rate, longest, own_longest }
  } finally {
    await http.close()
    await installation.close()
  }
}

/**
 * The longest that the main thread worked between two visits of a timer, by its own processor time: what holds the loop up. The wall
 * time of the same also counts when the machine gave the processor to somebody else.
 */
function watchOwnWork(): { stop(): number } {
  let longest = 0
  let before = process.threadCpuUsage()
  const timer = setInterval(() => {
    const used = process.threadCpuUsage(before)
    before = process.threadCpuUsage()
    longest = Math.max(longest, (used.user + used.system) / 1_000)
  }, 1)
  return {
    stop() {
      clearInterval(timer)
      return longest
    },
  }
}
