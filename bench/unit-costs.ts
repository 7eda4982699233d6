/**
 * What one of each costs: processor time of the real service for a crawler's request, another record, an event, an
 * answer, a read and a minute of a site, and bytes on the disk after parts are merged. Then a hundredth of 10,000 sites
 * and a billion requests per month, in real time, compared with the prediction of these costs. It measures processor
 * time, because other programs affect it less than the elapsed time. Run: npm run bench -- unit-costs [seconds of each,
 * default 40] [minutes of the hundredth, default 5]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import Type from 'typebox'
import { DAY_MS, HOUR_MS, systemClock } from '#clock.ts'
import { rebuildDirtyDays } from '#crawlers/roll-ups/rebuild-roll-ups.ts'
import { openChdb } from '#evidence/chdb/store.ts'
import { Fragment } from '#evidence/fragment.ts'
import { count, rows } from '#evidence/sql.ts'
import type { Installation } from '#installation/installation.ts'
import { deriveDays } from '#tracker/sessions/derive-sessions.ts'
import { fillBrand } from './parts/answer-history.ts'
import { ALONE_A_SECOND, needsOf, SHARED_A_SECOND, type UnitCosts, usualLoad } from './parts/cost-model.ts'
import { fillSite } from './parts/crawler-history.ts'
import { row } from './parts/figures.ts'
import { openData } from './parts/open-data.ts'
import { type ServiceProcess, startServiceProcess } from './parts/service-process.ts'
import { fillTracker } from './parts/tracker-history.ts'
import { addSites, type Rates, sendTraffic } from './parts/traffic.ts'
import type { Sent } from './parts/traffic-counts.ts'
import type { Target } from './parts/traffic-senders.ts'

const [seconds = 40, minutes = 5] = process.argv.slice(2).map(Number)
const TRICKLE_SITES = 20
/** More sites than one process can derive once per minute. */
const MANY_SITES = 600
const TRICKLE_SECONDS = 180
const ANSWERS = 5_000
const MAX_IDLE_MINUTES = 6
/** Batches of one record per second: few, each committed alone, and many, which share commits. */
const FEW_BATCHES = ALONE_A_SECOND
const MANY_BATCHES = SHARED_A_SECOND
/** Rows for measuring the bytes of each: with few rows, the part's own files would dominate. */
const ROWS = 1_000_000
const activeTables = rows(Type.Object({ name: Type.String(), rows: count(), bytes: count() }))`
  SELECT table AS name, sum(rows) AS rows, sum(bytes_on_disk) AS bytes FROM system.parts
  WHERE database = 'spoor' AND active GROUP BY table ORDER BY bytes DESC`

const folder = mkdtempSync(join(tmpdir(), 'spoor-bench-'))

try {
  const answers = await costOfAnswers(join(folder, 'answers'))
  const { disk, ...times } = await costsOfService(join(folder, 'units'))
  const costs: UnitCosts = { ...times, ...disk, ...answers }
  console.log('\nunit costs (us, ms: processor time; bytes: on the disk, merged)')
  for (const [of, cost] of Object.entries(costs)) console.log(row(of, cost.toFixed(of === 'most_of_open_days' ? 3 : 1)))
  await compareHundredth(join(folder, 'hundredth'), costs)
  const needs = needsOf(usualLoad(10_000, 1e9), costs)
  console.log('\n10,000 sites, a billion requests a month: processors at work on average')
  for (const [of, processors] of Object.entries(needs.processors)) console.log(row(of, processors.toFixed(2)))
  console.log(row('in all', needs.processors_in_all.toFixed(2)))
  console.log(row('disk after 400 days, GB', needs.disk_gb.toFixed(0)))
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function costsOfService(data: string) {
  const { sites, key } = await addSites(data, 1 + TRICKLE_SITES + MANY_SITES)
  const [first, trickle, many] = [sites.slice(0, 1), sites.slice(1, 1 + TRICKLE_SITES), sites.slice(1 + TRICKLE_SITES)]
  const service = await startServiceProcess(data)
  await service.settled()
  const idle = await idleMinute(service)
  const load: ServiceLoad = { service, idle_second: idle / 60, target: { url: service.url, sites: first, key } }
  const of_trickle = { ...load, target: { ...load.target, sites: trickle } }
  const of_many = { ...load, target: { ...load.target, sites: many } }
  await sendTraffic(load.target, { crawler_records: 2_000, human_records: 2_000, events: 200, reads: 2 }, 5)
  const human = await costOfOne(load, { human_records: 8_000 }, 'human_records')
  const crawler = await costOfOne(load, { crawler_records: 800 }, 'crawler_records')
  // One record per batch, for the cost of a batch without its records.
  const delivery = (await costOfOne(load, { single_batches: FEW_BATCHES }, 'crawler_records')) - crawler
  const shared = (await costOfOne(of_trickle, { single_batches: MANY_BATCHES }, 'crawler_records')) - crawler
  const event = await costOfOne(load, { events: 200 }, 'events')
  const read = await costOfOne(load, { reads: 2 }, 'reads')
  const rates = { single_batches: FEW_BATCHES, events: TRICKLE_SITES / 5 }
  const own = await costOfSites(of_trickle, rates, { record: crawler + delivery, event })
  const own_of_many = await costOfSites(
    of_many,
    { single_batches: MANY_SITES / 12 },
    { record: crawler + shared, event },
  )
  await service.stop()
  const disk = await bytesOnDisk()
  return {
    crawler_record_us: crawler * 1e6,
    human_record_us: human * 1e6,
    event_us: event * 1e6,
    delivery_ms: delivery * 1e3,
    shared_delivery_ms: shared * 1e3,
    read_ms: read * 1e3,
    idle_minute_ms: idle * 1e3,
    site_minute_ms: (own / (TRICKLE_SITES * (TRICKLE_SECONDS / 60))) * 1e3,
    most_of_open_days: own_of_many / TRICKLE_SECONDS,
    disk,
  }
}

interface ServiceLoad {
  service: ServiceProcess
  /** Processor seconds of a second without work. */
  idle_second: number
  target: Target
}

/** Processor seconds of one record, event or read, by sending many of them. */
async function costOfOne(
  { service, idle_second, target }: ServiceLoad,
  rates: Rates,
  of: keyof Pick<Sent, 'crawler_records' | 'human_records' | 'events' | 'reads'>,
): Promise<number> {
  const started = performance.now()
  let sent = 0
  const used = await cpuOf(service, async () => {
    const all = await sendTraffic(target, rates, seconds)
    if (all.errors > 0) console.log(`${all.errors} were refused and are not counted, the first: ${all.first_error}`)
    sent = all[of]
    await service.settled()
  })
  const own = used - (idle_second * (performance.now() - started)) / 1_000
  console.log(row(of, `${sent} taken`, `${own.toFixed(2)} s`))
  return own / sent
}

/** Few records to many sites: the processor seconds beyond those of the records and events are those of the sites. */
async function costOfSites(
  { service, idle_second, target }: ServiceLoad,
  rates: Rates,
  known: { record: number; event: number },
): Promise<number> {
  let sent = { crawler_records: 0, events: 0 }
  const used = await cpuOf(service, async () => {
    sent = await sendTraffic(target, rates, TRICKLE_SECONDS)
  })
  const own = used - TRICKLE_SECONDS * idle_second - sent.crawler_records * known.record - sent.events * known.event
  console.log(row(`${target.sites.length} sites`, `${used.toFixed(2)} s`, `${own.toFixed(2)} s`))
  return own
}

async function compareHundredth(data: string, costs: UnitCosts): Promise<void> {
  const { sites, key } = await addSites(data, 100)
  const service = await startServiceProcess(data)
  await service.settled()
  const load = usualLoad(100, 1e7)
  const second = 1 / (30 * 86_400)
  const rates = {
    crawler_records: load.requests * second,
    human_records: load.requests * load.humans_per_request * second,
    events: load.events * second,
    reads: load.reads * second,
  }
  await service.loopDelayMs()
  let sent: Sent | null = null
  const used = await cpuOf(service, async () => {
    sent = await sendTraffic({ url: service.url, sites, key }, rates, minutes * 60)
  })
  const { processors, processors_in_all } = needsOf({ ...load, answers: 0 }, costs)
  console.log(`\na hundredth in real time, ${minutes} minutes: 100 sites, ${JSON.stringify(rates)} a second`)
  console.log(
    row('processors predicted', processors_in_all.toFixed(4), `(open days ${processors['open days']?.toFixed(4)})`),
  )
  console.log(row('processors measured', (used / (minutes * 60)).toFixed(4)))
  console.log(row('memory, MiB', service.memoryMib().toFixed(0)))
  console.log(row('event loop p99, ms', (await service.loopDelayMs()).toFixed(1)))
  const { errors, first_error } = sent as unknown as Sent
  console.log(row('errors', errors), first_error ?? '')
  await service.stop()
}

async function costOfAnswers(data: string): Promise<Pick<UnitCosts, 'answer_us' | 'answer_bytes'>> {
  const installation = await openData(data)
  const crawlers = await installation.crawlers()
  await fillBrand(crawlers, installation.operator.account_id, { answers: 500, days: 30 })
  const before = process.cpuUsage()
  await fillBrand(crawlers, installation.operator.account_id, { answers: ANSWERS, days: 30 })
  const { user, system } = process.cpuUsage(before)
  await installation.close()
  const tables = await mergedTables(join(data, 'evidence'))
  const bytes = tables
    .filter(({ name }) => /answer|mention|citation/.test(name))
    .reduce((sum, { bytes }) => sum + bytes, 0)
  return { answer_us: (user + system) / ANSWERS, answer_bytes: bytes / (ANSWERS + 500) }
}

/** Bytes of a request and of an event of a month of one site, with everything that is derived from them. */
async function bytesOnDisk(): Promise<Pick<UnitCosts, 'request_bytes' | 'event_bytes'>> {
  const requests = await bytesOf('requests', async (installation) => {
    await fillSite(installation, ROWS, { days: 30 })
    await rebuildDirtyDays(await installation.crawlers())
  })
  const events = await bytesOf('events', async (installation) => {
    await fillTracker(installation, ROWS)
    const collection = { readableThrough: () => installation.clock.now() }
    await deriveDays({ ...(await installation.crawlers()), collection })
  })
  return { request_bytes: requests / ROWS, event_bytes: events / ROWS }
}

async function bytesOf(what: string, fill: (installation: Installation) => Promise<void>): Promise<number> {
  const data = join(folder, what)
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS
  // The generated history ends at 22:00.
  const installation = await openData(data, { clock: systemClock(today - 2 * HOUR_MS) })
  await fill(installation)
  await installation.close()
  const tables = await mergedTables(join(data, 'evidence'))
  console.log(`\nbytes on the disk of ${ROWS} ${what} of 30 days, merged`)
  for (const { name, rows: held, bytes } of tables) if (held > 0) console.log(row(name, `${held} rows`, `${bytes} B`))
  return tables.reduce((sum, { bytes }) => sum + bytes, 0)
}

async function mergedTables(evidence_folder: string) {
  const evidence = await openChdb({ folder: evidence_folder })
  try {
    for (const { name } of await evidence.all(activeTables)) {
      await evidence.run(new Fragment([`OPTIMIZE TABLE spoor.${name} FINAL`]))
    }
    return await evidence.all(activeTables)
  } finally {
    await evidence.close()
  }
}

/** Processor seconds of a minute without work, once they stop falling: by then the work at start-up is done. */
async function idleMinute(service: ServiceProcess): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let minute = 0; minute < MAX_IDLE_MINUTES; minute++) {
    const used = await cpuOf(service, () => pause(60_000))
    if (used > 0.9 * least) return Math.min(used, least)
    least = used
  }
  return least
}

async function cpuOf(service: ServiceProcess, work: () => Promise<unknown>): Promise<number> {
  const before = service.cpuSeconds()
  await work()
  return service.cpuSeconds() - before
}
