/**
 * How long the answers about visitors take at 1, 3 and 10 million events of one site in 30 days, with a full open day
 * (with `--small-open-day`, a tenth of one), and how long a closed day takes to derive. Answers are made and written as
 * JSON, without HTTP. Run: npm run bench -- analytics [--small-open-day] [millions…]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '#clock.ts'
import { readAnalyticsSources } from '#tracker/analytics-sources.ts'
import type { TrackerContext } from '#tracker/context.ts'
import { readConversions } from '#tracker/conversions.ts'
import { addConversion } from '#tracker/definitions/conversions.ts'
import { readConversionInput } from '#tracker/definitions/definition-input.ts'
import { deriveDefinitions } from '#tracker/definitions/derive-definitions.ts'
import { readOverview } from '#tracker/overview.ts'
import { readAnalyticsPages } from '#tracker/pages.ts'
import { deriveDays } from '#tracker/sessions/derive-sessions.ts'
import { percentile, row, watchStolen } from './parts/figures.ts'
import { openData } from './parts/open-data.ts'
import { fillTracker } from './parts/tracker-history.ts'

/** Enough repetitions of each answer for two to be slower than the 99th percentile. */
const RUNS = 200
const NOW = Date.parse('2026-11-20T22:00:00Z')

const small = process.argv.includes('--small-open-day')
const asked = process.argv.slice(2).map(Number).filter(Number.isFinite)
for (const million of asked.length > 0 ? asked : [1, 3, 10]) await measure(million)

async function measure(million: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'spoor-bench-'))
  const clock = systemClock(NOW)
  const installation = await openData(folder, { clock })
  try {
    const site = await fillTracker(installation, million * 1_000_000, { open_day: small ? 0.1 : 1 })
    const ctx: TrackerContext = {
      ...(await installation.crawlers()),
      site,
      collection: { readableThrough: () => clock.now() },
    }
    console.log(`\n${million} million events, ${small ? 'a small' : 'a full'} open day\n`)
    console.log(row('work', 'runs', 'p50 ms', 'p99 ms', 'slowest ms', 'cpu ms', 'stolen %'))
    await derive(ctx)
    await define(ctx)
    for (const [name, read] of reads(ctx)) await timeReads(name, read)
    console.log(row('memory of the process, MB', '', Math.round(process.memoryUsage().rss / 1e6)))
  } finally {
    await installation.close()
    rmSync(folder, { recursive: true })
  }
}

/** Four conversions, whose sums of closed days are stored. */
async function define(ctx: TrackerContext): Promise<void> {
  for (const event_name of ['signup', 'download', 'add to cart', 'contact']) {
    const definition = readConversionInput({
      name: event_name,
      matcher: { kind: 'event', event_name, property_rules: [] },
    })
    await addConversion(ctx, { site: ctx.site, definition })
  }
  await deriveDefinitions(ctx)
}

/** Every answer over 30 days. */
function reads(ctx: TrackerContext): [name: string, read: () => Promise<unknown>][] {
  return [
    ['overview', () => readOverview(ctx, { window: '30d' })],
    ['analytics sources', () => readAnalyticsSources(ctx, { window: '30d' })],
    ['pages', () => readAnalyticsPages(ctx, { window: '30d', limit: 50 })],
    ['conversions', () => readConversions(ctx, { window: '30d', limit: 100 })],
  ]
}

/** Day by day, as the background job does. */
async function derive(ctx: TrackerContext): Promise<void> {
  const times: number[] = []
  const cost = watchCost()
  let started = performance.now()
  await deriveDays(ctx, () => {
    const now = performance.now()
    times.push(now - started)
    started = now
    return false
  })
  times.push(performance.now() - started)
  // The first interval is the one before the first day.
  report('derive a closed day', times.slice(1), cost)
}

async function timeReads(name: string, work: () => Promise<unknown>): Promise<void> {
  JSON.stringify(await work())
  const times: number[] = []
  const cost = watchCost()
  for (let run = 0; run < RUNS; run++) {
    const started = performance.now()
    JSON.stringify(await work())
    times.push(performance.now() - started)
  }
  report(name, times, cost)
}

/** The processor time of this process, and the steal time of the machine, from now on. */
function watchCost() {
  const since = process.cpuUsage()
  const stolen = watchStolen()
  return () => {
    const { user, system } = process.cpuUsage(since)
    return { cpu_ms: (user + system) / 1_000, stolen: stolen() }
  }
}

function report(name: string, times: readonly number[], cost: ReturnType<typeof watchCost>): void {
  const { cpu_ms, stolen } = cost()
  const figures = [percentile(times, 50), percentile(times, 99), Math.max(...times), cpu_ms / times.length]
  const stolen_text = stolen === null ? 'unknown' : stolen.toFixed(1)
  console.log(row(name, times.length, ...figures.map((figure) => figure.toFixed(0)), stolen_text))
}
