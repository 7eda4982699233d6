/**
 * How fast reads of 30 days answer over HTTP while crawlers' requests and visitors' events of the open day arrive. Days
 * are derived and counted in advance as often as in a running service. First, each answer is read once with no kept
 * counts, right after a start; then, after another start and a minute without reads, the reads take turns, and each
 * round begins with another one.
 * Run: npm run bench -- crawlers-open-day [million requests of the open day, default 3] [that arrive a second, default
 * 2700] [million events of it, default 1] [that arrive a second, default 50] [rounds, default 100] [seconds before the
 * rounds, default 60]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createSiteKey } from '#accounts/site-keys.ts'
import { HOUR_MS, MINUTE_MS, systemClock } from '#clock.ts'
import { countOpenDays } from '#crawlers/count-open-days.ts'
import { rebuildDirtyDays } from '#crawlers/roll-ups/rebuild-roll-ups.ts'
import { dayStart, utcDay } from '#days/utc-day.ts'
import type { Installation } from '#installation/installation.ts'
import { visitorReadsInAdvance } from '#jobs/folder-jobs.ts'
import type { Site } from '#sites/site.ts'
import { addConversion } from '#tracker/definitions/conversions.ts'
import { readConversionInput, readFunnelInput } from '#tracker/definitions/definition-input.ts'
import { addFunnel } from '#tracker/definitions/funnels.ts'
import { takeSnapshots } from '#tracker/sessions/session-snapshots.ts'
import { deriveSettled } from '#tracker/sessions/settled-sessions.ts'
import { addBatch, fillSite } from './parts/crawler-history.ts'
import { percentile, row } from './parts/figures.ts'
import { buildSurfaces, openData } from './parts/open-data.ts'
import { addEvents, DAYS, fillTracker, PAGES } from './parts/tracker-history.ts'

const CRAWLER_READS = [
  'performance',
  'crawlers',
  'top-pages',
  'crawlers/gptbot',
  'unregistered-agents',
  'sources',
  'issues',
]
const VISITOR_READS = ['overview', 'pages', 'analytics-sources', 'conversions', 'journeys', 'funnels']
const PATHS = 50_000
const INSERTS_A_SECOND = 2
const FUNNELS = 5
/** As in `jobs/folder-jobs.ts`. */
const REBUILD_EVERY_MS = MINUTE_MS / 2
const SETTLE_EVERY_MS = MINUTE_MS
const COUNT_EVERY_MS = MINUTE_MS / 4
const SNAPSHOT_EVERY_MS = MINUTE_MS / 12

const [million = 3, a_second = 2_700, million_events = 1, events_a_second = 50, rounds = 100, warm_seconds = 60] =
  process.argv.slice(2).map(Number)
const READS = million_events > 0 ? [...CRAWLER_READS, ...VISITOR_READS] : CRAWLER_READS
const folder = mkdtempSync(join(tmpdir(), 'spoor-bench-'))
// The same time of day in every run, when most of the day is over.
const clock = systemClock(dayStart(utcDay(Date.now())) + 20 * HOUR_MS)
const open = () => openData(folder, { clock })
try {
  const site_id = await fill()
  const cold = await measure(site_id, 1, 0)
  const { times, processor_ms, seconds } = await measure(site_id, rounds, warm_seconds)
  console.log(row('read', 'runs', 'p50 ms', 'p99 ms', 'slowest ms', '> 250 ms', 'cold ms'))
  for (const [operation, of] of times) {
    const slow = of.filter((ms) => ms > 250).length
    const figures = [percentile(of, 50), percentile(of, 99), Math.max(...of)].map((figure) => figure.toFixed(1))
    const [first = Number.NaN] = cold.times.get(operation) ?? []
    console.log(row(`${operation} 30d`, rounds, ...figures, slow, first.toFixed(1)))
  }
  console.log(row('processor ms a read, all work', '', (processor_ms / rounds / READS.length).toFixed(1)))
  console.log(row('seconds; memory, MB', '', seconds.toFixed(0), Math.round(process.memoryUsage().rss / 1e6)))
} finally {
  rmSync(folder, { recursive: true })
}

async function fill(): Promise<string> {
  const installation = await open()
  try {
    const id = await fillSite(installation, million * 1_000_000, { paths: PATHS, days: 1 })
    if (million_events > 0) await fillVisitors(installation, id)
    return id
  } finally {
    await installation.close()
  }
}

/** Starts the service, waits while facts arrive, and reads; then stops it. */
async function measure(site_id: string, times_each: number, wait_seconds: number) {
  const installation = await open()
  const stopped = new AbortController()
  const isStopped = () => stopped.signal.aborted
  try {
    const crawlers = await installation.crawlers()
    const http = buildSurfaces(installation, crawlers)
    const url = await http.listen({ host: '127.0.0.1', port: 0 })
    const { user_id } = installation.operator
    const { secret } = await createSiteKey(installation.operator, { user_id, name: 'bench' })
    const count = Math.max(1, Math.round(a_second / INSERTS_A_SECOND))
    const day = utcDay(clock.now())
    let readable = clock.now()
    const tracker = { ...crawlers, collection: { readableThrough: () => readable } }

    const again = async (every_ms: number, work: (run: number) => Promise<unknown>) => {
      const begun = Date.now()
      for (let run = 0; !isStopped(); run++) {
        await work(begun + run)
        await pause(every_ms, undefined, { signal: stopped.signal }).catch(() => {})
      }
    }
    const addSome = (run: number) => addBatch(installation, crawlers.evidence, { site_id, day, count, run })
    const visits = { site_id, count: Math.round(events_a_second / INSERTS_A_SECOND), visitors: events_a_second * 60 }
    const background = Promise.all([
      again(1_000 / INSERTS_A_SECOND, addSome),
      million_events === 0 ||
        again(1_000 / INSERTS_A_SECOND, async (run) => {
          readable = await addEvents(installation, crawlers.evidence, { ...visits, run })
        }),
      again(REBUILD_EVERY_MS, () => rebuildDirtyDays(crawlers, isStopped, { open_day: 'each_minute' })),
      again(SETTLE_EVERY_MS, () => deriveSettled(tracker, isStopped)),
      again(SNAPSHOT_EVERY_MS, () => takeSnapshots(tracker, isStopped)),
      again(COUNT_EVERY_MS, () =>
        countOpenDays(crawlers, isStopped, { also: (of) => visitorReadsInAdvance(of, tracker) }),
      ),
    ])
    await pause(wait_seconds * 1_000)
    const times = new Map(READS.map((operation) => [operation, [] as number[]]))
    const before = process.cpuUsage()
    const began = performance.now()
    for (let round = 0; round < times_each; round++) {
      for (let turn = 0; turn < READS.length; turn++) {
        const operation = READS[(round + turn) % READS.length] as string
        const started = performance.now()
        const headers = { authorization: `Bearer ${secret}` }
        const answer = await fetch(`${url}/v1/sites/${site_id}/${operation}?window=30d`, { headers })
        const body = await answer.text()
        if (answer.status !== 200) throw new Error(body)
        times.get(operation)?.push(performance.now() - started)
      }
    }
    const seconds = (performance.now() - began) / 1_000
    const { user, system } = process.cpuUsage(before)
    stopped.abort()
    await background
    await http.close()
    return { times, seconds, processor_ms: (user + system) / 1_000 }
  } finally {
    stopped.abort()
    await installation.close()
  }
}

/** A million events of the open day alone, with conversions and funnels. */
async function fillVisitors(installation: Installation, site_id: string): Promise<void> {
  const { control } = installation
  const found = await control.db.selectFrom('sites').selectAll().where('id', '=', site_id).executeTakeFirstOrThrow()
  const site: Site = { ...found, role: 'owner' }
  const now = clock.now()
  const latest_ms = now - dayStart(utcDay(now))
  await fillTracker(installation, million_events * 1_000_000 * DAYS, { days: 1, site, latest_ms })
  for (const event_name of ['signup', 'download', 'add to cart', 'contact']) {
    const definition = { name: event_name, matcher: { kind: 'event', event_name, property_rules: [] } }
    await addConversion({ control, clock }, { site, definition: readConversionInput(definition) })
  }
  for (let at = 1; at <= FUNNELS; at++) {
    const steps = [0, 1, 2, 3, 4].map((more) => {
      const page = 1 + ((at * 3 + more) % PAGES)
      const hostname = page % 5 === 0 ? 'docs.example.com' : 'example.com'
      return { kind: 'page', hostname, path: `/section-${page % 97}/page-${page}` }
    })
    await addFunnel({ control, clock }, { site, definition: readFunnelInput({ name: `Funnel ${at}`, steps }) })
  }
}
