/**
 * The rate limits of one address and one site, which all nodes enforce together. Each node takes events from its own
 * buckets. Once a second it reports the events of heavily used keys, and the other nodes subtract them. No request
 * waits for that. Events that several nodes admitted over the limit are subtracted later, so the limit holds over time.
 */
import { hash } from 'node:crypto'
import type { Logger } from 'pino'
import type { Clock } from '#clock.ts'
import { utcDay } from '#days/utc-day.ts'
import type { CollectingNode } from './collecting-node.ts'
import { openBuckets, type RateLimits, type TakeTokens } from './rate-limits.ts'
import { addTo } from './sums.ts'
import type { Visitors } from './visitor-salts.ts'

export interface AdmittedRates {
  /** By the address or network of a client. */
  takeOfAddress: TakeTokens
  /** By the id of a site. */
  takeOfSite: TakeTokens
  /** Reports admitted events to the other nodes, and subtracts theirs; runs once a second. @throws store errors. */
  exchange(): Promise<void>
  stop(): Promise<void>
}

export interface AdmittedRatesContext {
  clock: Clock
  log: Logger
  limits: RateLimits
  /** Null for a single service, which shares its limits with no other. */
  node: Pick<CollectingNode, 'exchangeUse'> | null
  /** Addresses leave this process only as hashes with the salt of the day, which is forgotten with it. */
  visitors: Pick<Visitors, 'peek'>
  exchange_every_ms?: number
}

const EXCHANGE_MS = 1_000
/** Keys with more events than this share of a second's limit are reported to the other nodes. */
const HEAVY_SHARE = 1 / 20

const KINDS = { address: 'a:', site: 's:' } as const
type Kind = keyof typeof KINDS

export function openAdmittedRates({
  clock,
  log,
  limits,
  node,
  visitors,
  ...options
}: AdmittedRatesContext): AdmittedRates {
  const buckets = { address: openBuckets(limits.address, clock), site: openBuckets(limits.site, clock) }
  if (node === null) {
    const nothing = async () => {}
    return { takeOfAddress: buckets.address.take, takeOfSite: buckets.site.take, exchange: nothing, stop: nothing }
  }
  let used = new Map<string, number>()
  const kindOf = (key: string): Kind => (key.startsWith(KINDS.site) ? 'site' : 'address')
  const takeAs = (kind: Kind, name: string, events: number): number => {
    const key = `${KINDS[kind]}${name}`
    const seconds = buckets[kind].take(key, events)
    if (seconds === 0) addTo(used, key, events)
    return seconds
  }
  const exchange = async () => {
    const taken = used
    used = new Map()
    const isHeavy = (key: string, events: number) => events > limits[kindOf(key)].per_second * HEAVY_SHARE
    for (const [key, events] of await node.exchangeUse(taken, isHeavy)) buckets[kindOf(key)].subtract(key, events)
  }
  const rounds = repeat(exchange, options.exchange_every_ms ?? EXCHANGE_MS, log)
  return {
    takeOfAddress(network, events) {
      const salt = visitors.peek(utcDay(clock.now()))
      // Until the first visitor's request has loaded the salt of the day, the node limits addresses alone.
      if (salt === undefined) return buckets.address.take(network, events)
      return takeAs('address', hash('sha256', `${salt}\n${network}`, 'hex').slice(0, 16), events)
    },
    takeOfSite: (site_id, events) => takeAs('site', site_id, events),
    exchange,
    stop: rounds.stop,
  }
}

/** Calls `run` repeatedly, `every_ms` after the previous call has ended. */
function repeat(run: () => Promise<void>, every_ms: number, log: Logger): { stop(): Promise<void> } {
  let running = Promise.resolve()
  let is_failing = false
  let is_stopped = false
  const round = async () => {
    try {
      await run()
      is_failing = false
    } catch (error) {
      if (!is_failing)
        log.warn({ err: error }, 'nodes cannot exchange their rates; until they can, this one limits by itself')
      is_failing = true
    }
    if (!is_stopped) timer = later()
  }
  const later = () =>
    setTimeout(() => {
      running = round()
    }, every_ms).unref()
  let timer = later()
  return {
    async stop() {
      is_stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
