/**
 * The costs of work, as `npm run bench -- unit-costs` measures them, and the needs of an installation of a given size.
 */

/** Processor seconds and bytes of one of each. */
export interface UnitCosts {
  /** A request of a crawler: delivered, stored, rolled up. */
  crawler_record_us: number
  /** A record that names no crawler: read and counted. */
  human_record_us: number
  /** A tracker event, one per request, durable and stored, with its day's sessions. */
  event_us: number
  /** An imported answer of 750 characters. */
  answer_us: number
  /** A read over 30 days. */
  read_ms: number
  /** A batch of records, without the records, which is committed alone: answered when durable. */
  delivery_ms: number
  /** The same if many arrive at once and share commits. */
  shared_delivery_ms: number
  /** A minute of a site that received something: its open day is derived again. */
  site_minute_ms: number
  /** The most processors that open days take, because a process derives for only a part of its time. */
  most_of_open_days: number
  /** A minute of a service with nothing to do. */
  idle_minute_ms: number
  request_bytes: number
  event_bytes: number
  answer_bytes: number
}

/** What arrives in a month (30 days). */
export interface Load {
  sites: number
  requests: number
  humans_per_request: number
  events: number
  answers: number
  reads: number
  /** Batches of records. */
  deliveries: number
  /** In how many of the 1,440 minutes of a day a site receives something, on average. */
  active_minutes: number
  /** How long everything is kept. */
  retention_days: number
}

export interface Needs {
  /** Average number of busy processors, by kind of work. */
  processors: Record<string, number>
  processors_in_all: number
  /** At the end of the retention. */
  disk_gb: number
}

const DAYS = 30
const SECONDS = DAYS * 86_400

/**
 * The proportions of a month in docs/operating/sizing.md: as many events as crawler requests, unless `events` says
 * otherwise, 5.7 other log records for each request (15 % of a log are crawlers); per site and day 30 answers, 60 reads
 * and a batch of records every 12 seconds.
 */
export function usualLoad(sites: number, requests: number, events = requests): Load {
  // With random arrivals, a minute is idle with the probability e^-(arrivals per minute).
  const arrivals = (requests + events) / sites / (DAYS * 1_440)
  return {
    sites,
    requests,
    humans_per_request: 85 / 15,
    events,
    answers: sites * 30 * DAYS,
    reads: sites * 60 * DAYS,
    deliveries: (sites * SECONDS) / 12,
    active_minutes: 1_440 * (1 - Math.exp(-arrivals)),
    retention_days: 400,
  }
}

/** Up to the first number of batches per second, each is committed alone; from the second on, they share commits. */
export const ALONE_A_SECOND = 4
export const SHARED_A_SECOND = 100

function deliveryMs(a_second: number, { delivery_ms, shared_delivery_ms }: UnitCosts): number {
  const share = (a_second - ALONE_A_SECOND) / (SHARED_A_SECOND - ALONE_A_SECOND)
  return delivery_ms + Math.min(1, Math.max(0, share)) * (shared_delivery_ms - delivery_ms)
}

export function needsOf(load: Load, costs: UnitCosts): Needs {
  const site_minutes = load.sites * load.active_minutes * DAYS
  const seconds = {
    'crawler requests': (load.requests * costs.crawler_record_us) / 1e6,
    'other records': (load.requests * load.humans_per_request * costs.human_record_us) / 1e6,
    deliveries: (load.deliveries * deliveryMs(load.deliveries / SECONDS, costs)) / 1e3,
    events: (load.events * costs.event_us) / 1e6,
    answers: (load.answers * costs.answer_us) / 1e6,
    reads: (load.reads * costs.read_ms) / 1e3,
    'open days': Math.min((site_minutes * costs.site_minute_ms) / 1e3, SECONDS * costs.most_of_open_days),
    'nothing to do': (DAYS * 1_440 * costs.idle_minute_ms) / 1e3,
  }
  const processors = Object.fromEntries(Object.entries(seconds).map(([of, all]) => [of, all / SECONDS]))
  const month_bytes =
    load.requests * costs.request_bytes + load.events * costs.event_bytes + load.answers * costs.answer_bytes
  return {
    processors,
    processors_in_all: Object.values(processors).reduce((sum, each) => sum + each, 0),
    disk_gb: (month_bytes * load.retention_days) / DAYS / 1e9,
  }
}
