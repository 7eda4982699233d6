/**
 * The service under all kinds of load at once, for an hour: records of logs, events and reads at a share of what it can
 * handle of each alone. Prints a line per minute: memory, how late timers of the event loop were, how long events,
 * batches and reads took (ms), and what failed.
 * With --scaled, the bars are adjusted to this machine: a bare POST is measured first, and they are lowered in
 * proportion to how much slower it is than on the machine for which they were set.
 * Run: npm run bench -- mixed [--scaled] [minutes, default 60] [percent of the bars, default 70] [sites, default 10]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { measureBarePost } from './parts/bare-post.ts'
import { percentile, row, watchStolen } from './parts/figures.ts'
import { startServiceProcess } from './parts/service-process.ts'
import { addSites, sendTraffic } from './parts/traffic.ts'

const { values, positionals } = parseArgs({ options: { scaled: { type: 'boolean' } }, allowPositionals: true })
const [minutes = 60, percent = 70, site_count = 10] = positionals.map(Number)
/**
 * What the service handles of each alone on two cores, per second (docs/benchmarks.md has the goals): records of logs
 * of which a fifth are of crawlers, events that arrive one per request, and reads of 30 days by four readers who wait
 * 100 ms. Each of these uses the whole machine, so each of the three gets a third of its bar.
 */
const BARS = { records: 120_000, events: 15_000, reads: 40 }
const CRAWLER_SHARE = 0.2
/** Requests per second of a bare POST on the machine for which the bars were set: 15,000 events are 0.6 of it. */
const BARE_POSTS = 25_000
const bare_posts = values.scaled === true ? await measureBarePost(6) : BARE_POSTS
const SHARE = (percent / 100 / Object.keys(BARS).length) * Math.min(1, bare_posts / BARE_POSTS)
const rates = {
  crawler_records: BARS.records * SHARE * CRAWLER_SHARE,
  human_records: BARS.records * SHARE * (1 - CRAWLER_SHARE),
  events: BARS.events * SHARE,
  reads: BARS.reads * SHARE,
}
/** The bar of the event loop's timers, 99th percentile. */
const MAX_LOOP_MS = 50
const rounded = Object.entries(rates).map(([kind, rate]) => `${kind} ${rate.toFixed(1)}`)

const folder = mkdtempSync(join(tmpdir(), 'spoor-bench-'))
try {
  const { sites, key } = await addSites(join(folder, 'data'), site_count)
  const service = await startServiceProcess(join(folder, 'data'))
  if (values.scaled) console.log(`a bare POST answers ${bare_posts.toFixed(0)} a second here`)
  console.log(`${site_count} sites; a second: ${rounded.join(', ')}\n`)
  console.log(row('minute', 'cpu %', 'MiB', 'loop p99', 'event p99', 'batch p99', 'read p99', 'errors'))
  const memory: number[] = []
  const delays: number[] = []
  let errors = 0
  let first_error: string | null = null
  const stolen = watchStolen()
  await service.loopDelayMs()
  for (let minute = 1; minute <= minutes; minute++) {
    const before = service.cpuSeconds()
    const sent = await sendTraffic({ url: service.url, sites, key }, rates, 60)
    memory.push(service.memoryMib())
    delays.push(await service.loopDelayMs())
    errors += sent.errors
    first_error ??= sent.first_error
    const cpu = ((service.cpuSeconds() - before) / 60) * 100
    const p99 = (of: readonly number[]) => percentile(of, 99).toFixed(0)
    const times = [p99(sent.event_ms), p99(sent.batch_ms), p99(sent.read_ms)]
    console.log(
      row(
        String(minute),
        cpu.toFixed(0),
        memory.at(-1)?.toFixed(0) ?? '',
        delays.at(-1)?.toFixed(1) ?? '',
        ...times,
        sent.errors,
      ),
    )
  }
  const third = Math.max(1, Math.floor(minutes / 3))
  const mean = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0) / values.length
  const [early, late] = [mean(memory.slice(third, 2 * third)), mean(memory.slice(-third))]
  console.log(`\n${errors} errors${first_error === null ? '' : `, the first: ${first_error}`}`)
  console.log(`memory in the second third ${early.toFixed(0)} MiB, in the last ${late.toFixed(0)} MiB`)
  console.log(
    `minutes whose loop p99 was over ${MAX_LOOP_MS} ms: ${delays.filter((each) => each > MAX_LOOP_MS).length} of ${minutes}`,
  )
  console.log(`other machines took ${stolen()?.toFixed(1) ?? 'an unknown part'} % of the processors`)
  await service.stop()
  if (errors > 0) process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
