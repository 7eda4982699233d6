/**
 * How fast funnels, journeys and revenue of one site are answered, with 10 million events in 30 days, including a full
 * open day. Run: npm run bench -- funnels [millions]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DAY_MS, systemClock } from '#clock.ts'
import { dayStart, utcDay } from '#days/utc-day.ts'
import { readFunnelInput as readFunnelDefinition } from '#tracker/definitions/definition-input.ts'
import { deriveDefinitions } from '#tracker/definitions/derive-definitions.ts'
import { addFunnel } from '#tracker/definitions/funnels.ts'
import { readFunnel } from '#tracker/funnel.ts'
import { readFunnels } from '#tracker/funnels.ts'
import { readJourneys } from '#tracker/journeys.ts'
import { readRevenue } from '#tracker/revenue.ts'
import { deriveDays } from '#tracker/sessions/derive-sessions.ts'
import { percentile, row } from './parts/figures.ts'
import { openData } from './parts/open-data.ts'
import { fillTracker, PAGES } from './parts/tracker-history.ts'

const RUNS = 30
const FUNNELS = 30
const million = Number(process.argv[2] ?? 10)

const folder = mkdtempSync(join(tmpdir(), 'spoor-bench-'))
const today = dayStart(utcDay(systemClock().now()))
const clock = systemClock(today + DAY_MS - 90 * 60_000)
const installation = await openData(folder, { clock })
try {
  const site = await fillTracker(installation, million * 1_000_000)
  const ctx = {
    ...(await installation.crawlers()),
    site,
    collection: { readableThrough: () => clock.now() },
  }
  const timed = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const started = performance.now()
    const result = await work()
    console.log(row(name, '', Math.round(performance.now() - started), '', ''))
    return result
  }
  const report = async (name: string, work: () => Promise<unknown>) => {
    await work()
    const times: number[] = []
    for (let run = 0; run < RUNS; run++) {
      const started = performance.now()
      await work()
      times.push(performance.now() - started)
    }
    console.log(row(name, RUNS, percentile(times, 50).toFixed(0), percentile(times, 99).toFixed(0), ''))
  }
  const steps = (first: number) =>
    [0, 1, 2, 3, 4].map((more) => {
      const page = 1 + ((first * 3 + more) % PAGES)
      const hostname = page % 5 === 0 ? 'docs.example.com' : 'example.com'
      return { kind: 'page', hostname, path: `/section-${page % 97}/page-${page}` }
    })
  const funnel = (name: string, first: number) =>
    addFunnel(
      { control: ctx.control, clock },
      { site, definition: readFunnelDefinition({ name, steps: steps(first) }) },
    )

  console.log(`\n${million} million events in 30 days\n`)
  console.log(row('what', 'runs', 'p50 ms', 'p99 ms', ''))
  await timed('sessions of 29 days', () => deriveDays(ctx))
  for (let at = 1; at < FUNNELS; at++) await funnel(`Funnel ${at}`, at)
  await timed('definitions of 29 days', () => deriveDefinitions(ctx))
  const { slug } = await funnel('A new one', 0)
  await report('a new funnel over all of it', () => readFunnel(ctx, { window: '30d', funnel: slug, format: 'json' }))
  await timed('its 29 days', () => deriveDefinitions(ctx))
  await report(`${FUNNELS} funnels`, () => readFunnels(ctx, { window: '30d', limit: 100, format: 'json' }))
  await report('journeys', () => readJourneys(ctx, { window: '30d', limit: 100 }))
  await report('revenue', () => readRevenue(ctx, { window: '30d' }))
} finally {
  await installation.close()
  rmSync(folder, { recursive: true })
}
