/** Steps 4 and 5: refuses whole requests, and counts their events as refused for the site (rules 6). */
import { utcDay } from '#days/utc-day.ts'
import type { AdmittedRates } from './admitted-rates.ts'
import { CollectRefusal } from './collect-refusal.ts'
import type { CollectionCounts } from './collection-counts.ts'
import type { CollectorContext } from './context.ts'
import type { EventStorage } from './event-storage.ts'
import type { TrackerSite } from './tracker-key-lookup.ts'

export interface AdmissionControl {
  /** Counts events as refused. */
  countRefused(site: TrackerSite, day: string, reason: string, events: number): void
  /** Counts events as refused with the code of the refusal, and returns the refusal, which the caller throws. */
  countRefusal(site: TrackerSite, events: number, refusal: CollectRefusal): CollectRefusal
  /** Runs a check, and counts the events as refused if it throws a CollectRefusal. */
  countIfRefused<T>(site: TrackerSite, events: number, check: () => T): T
  /** @throws CollectRefusal disabled. */
  refuseIfDisabled(site: TrackerSite, events: number): void
  /** `network` null: only the limit of the site applies. @throws CollectRefusal rate_limited. */
  refuseIfTooMuch(site: TrackerSite, events: number, network: string | null): void
  /** @throws CollectRefusal unavailable: too many bytes wait, or the last write failed. */
  refuseIfFull(site: TrackerSite, events: number): void
  /** Counts events whose write failed, and returns the refusal for their sender. */
  notDurable(site: TrackerSite, events: number): CollectRefusal
}

/** Events over the limit of one address do not make the day incomplete, unlike those over the site's (rules 6). */
const ADDRESS_LIMITED = 'address_rate_limited'
/** Seconds after which a sender may retry a request that was refused for lack of space. */
const RETRY_SECONDS = 5
/** No write is tried for this long after one that failed. */
const TROUBLE_PAUSE_MS = 1_000

export interface AdmissionControlParts {
  ctx: CollectorContext
  storage: EventStorage
  counts: CollectionCounts
  rates: AdmittedRates
  /** Bytes that may wait in the spool. */
  max_bytes: number
}

export function openAdmissionControl({
  ctx: { clock },
  storage,
  counts,
  rates,
  max_bytes,
}: AdmissionControlParts): AdmissionControl {
  const { takeOfAddress, takeOfSite } = rates
  let tried_at = Number.NEGATIVE_INFINITY
  const countRefused: AdmissionControl['countRefused'] = (site, day, reason, events) =>
    counts.add({ site, day, outcome: 'refused', reason, events, at: clock.now() })
  const countRefusal = (site: TrackerSite, events: number, refusal: CollectRefusal) => {
    countRefused(site, utcDay(clock.now()), refusal.code, events)
    return refusal
  }
  const limited = (site: TrackerSite, events: number, whose: 'this address' | 'this site', retry_after: number) => {
    const message = `More events came from ${whose} than are accepted; send them later.`
    countRefused(site, utcDay(clock.now()), whose === 'this site' ? 'rate_limited' : ADDRESS_LIMITED, events)
    return new CollectRefusal('rate_limited', 'rate_limited', message, { retry_after })
  }
  const unavailable = (code: string, message: string) =>
    new CollectRefusal('unavailable', code, message, { retry_after: RETRY_SECONDS })
  return {
    countRefused,
    countRefusal,
    countIfRefused(site, events, check) {
      try {
        return check()
      } catch (error) {
        throw error instanceof CollectRefusal ? countRefusal(site, events, error) : error
      }
    },
    refuseIfDisabled(site, events) {
      if (!site.is_disabled) return
      const message = `The tracker of ${site.root_domain} is switched off; its owner switches it on ({next}).`
      const next = { step: 'tracker.enable' } as const
      throw countRefusal(site, events, new CollectRefusal('disabled', 'tracker_disabled', message, { next }))
    },
    refuseIfTooMuch(site, events, network) {
      // Development events have buckets of their own, so that they do not use up the limits of visitors.
      const prefix = site.is_development ? 'development ' : ''
      const of_address = network === null ? 0 : takeOfAddress(`${prefix}${network}`, events)
      if (of_address > 0) throw limited(site, events, 'this address', of_address)
      const of_site = takeOfSite(`${prefix}${site.site_id}`, events)
      if (of_site > 0) throw limited(site, events, 'this site', of_site)
    },
    refuseIfFull(site, events) {
      if (storage.bytes() >= max_bytes) {
        const message = 'Too many events wait to be stored; send them again later.'
        throw countRefusal(site, events, unavailable('backlog_full', message))
      }
      if (storage.trouble() === null) return
      if (clock.elapsed() - tried_at < TROUBLE_PAUSE_MS) throw this.notDurable(site, events)
      tried_at = clock.elapsed()
    },
    notDurable: (site, events) =>
      countRefusal(
        site,
        events,
        unavailable('not_durable', 'The service cannot make events durable now; send it again later.'),
      ),
  }
}
