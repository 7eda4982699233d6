/** Sites with everything that they need, and traffic to them at fixed rates, regardless of how fast it is answered. */
import { setTimeout as pause } from 'node:timers/promises'
import { runOperation } from '#surfaces/operator/operations.ts'
import { openData } from './open-data.ts'
import { type Sent, TrafficCounts } from './traffic-counts.ts'
import {
  type BenchSite,
  openBatchSender,
  openEventSender,
  openReader,
  openRequester,
  type Target,
} from './traffic-senders.ts'

/** Rates per second, over all sites together. */
export interface Rates {
  /** Records of logs with a crawler, which are stored. */
  crawler_records?: number
  /** Records of logs without a crawler, which are counted. */
  human_records?: number
  /** Batches of one record with a crawler, evenly spread. */
  single_batches?: number
  /** Tracker events, one per request. */
  events?: number
  /** Reads, one operation after the other. */
  reads?: number
}

/** Adds sites to a data folder that no other process uses, and a key that reads them all. */
export async function addSites(data: string, count: number): Promise<{ sites: BenchSite[]; key: string }> {
  const installation = await openData(data)
  try {
    await installation.crawlers()
    const { operator } = installation
    const sites: BenchSite[] = []
    for (let at = 0; at < count; at++) {
      const domain = `site-${at}.example`
      const { id } = await runOperation(operator, 'site.add', { domain })
      const source = await runOperation(operator, 'source.add', { site: id, type: 'https_intake', name: 'web' })
      const tracker = await runOperation(operator, 'tracker.enable', { site: id })
      sites.push({ id, domain, token: source.token.secret, tracker_key: tracker.public_id as string })
    }
    const { secret } = await runOperation(operator, 'key.create', { name: 'bench', sites: [] })
    return { sites, key: secret }
  } finally {
    await installation.close()
  }
}

/** The interval of sending what is due. It is short, because events of many sites arrive evenly spread. */
const TICK_MS = 10
/** Batches are delivered this often. */
const BATCH_TICKS = 25

/** Sends for some seconds what is due, batches four times per second, to one site after the other. */
export async function sendTraffic(target: Target, rates: Rates, seconds: number): Promise<Sent> {
  const counts = new TrafficCounts()
  const requester = openRequester(target.url, counts)
  const deliver = openBatchSender(target, requester.ask, counts)
  const events = openEventSender(target, rates.events ?? 0, counts)
  const read = openReader(target, requester.ask, counts)
  const takeDue = dueCounter(rates)
  const began = performance.now()
  for (let tick = 0; tick < (seconds * 1_000) / TICK_MS; tick++) {
    if (tick % BATCH_TICKS === 0) {
      for (const kind of ['crawler_records', 'human_records'] as const) {
        const records = takeDue(kind, BATCH_TICKS)
        if (records > 0) deliver(kind, records)
      }
    }
    for (let batches = takeDue('single_batches'); batches > 0; batches--) deliver('crawler_records', 1)
    for (let count = takeDue('events'); count > 0; count--) events.add()
    events.send()
    for (let reads = takeDue('reads'); reads > 0; reads--) read()
    const left = began + (tick + 1) * TICK_MS - performance.now()
    if (left > 0) await pause(left)
  }
  await counts.settled()
  events.close()
  requester.close()
  return counts.sent
}

/** Returns a function that takes what is due of a kind after some ticks, in whole ones; the fraction stays due. */
function dueCounter(rates: Rates): (kind: keyof Rates, ticks?: number) => number {
  const left = new Map<keyof Rates, number>()
  return (kind, ticks = 1) => {
    const due = (left.get(kind) ?? 0) + ((rates[kind] ?? 0) * ticks * TICK_MS) / 1_000
    const whole = Math.floor(due)
    left.set(kind, due - whole)
    return whole
  }
}
