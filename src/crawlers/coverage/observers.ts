/** Observers of a group of sources, its servers or senders: what each covered of a host, and for how long (rules 3). */
import { intersection, type TimeRange, union, without } from '#days/intervals.ts'
import { expectationOf, knownSenders } from './expected-observers.ts'
import type { HostCoverage } from './host-day-completeness.ts'
import type { CoverageRecord, CoverageSource, Interval } from './source-groups.ts'
import { EVERY_HOST, isWildcard, wildcardOf } from './wildcard-hosts.ts'

export interface Observer {
  by_host: Map<string, Interval[]>
  /** Names of `by_host` such as `*.example.com`, the longest first. */
  wildcards: readonly string[]
  /** Hosts that its `*` does not include. */
  except: ReadonlySet<string>
  /** Hosts that it covered on days past the retention, for which it is expected too. */
  expired: ReadonlySet<string>
  /** The time for which it is expected: without it the group does not cover the time in full. */
  expected: TimeRange
  /** Time that it did not cover in full, because too many of its records were refused. */
  unreadable: readonly TimeRange[]
  /** True for a named server: it is expected for every host, covered or not. */
  is_server: boolean
  /** Its coverage of all hosts, which is computed once. */
  every_host: Seen
}

/** One observer for each sender of a source, also for those whose coverage has expired. */
export function observersOf(
  source: CoverageSource,
  intervals: readonly Interval[],
  record: CoverageRecord,
  isServer: boolean,
): Observer[] {
  const except = new Set(record.zones.find((zone) => zone.source_id === source.id)?.unproxied)
  const senders = Map.groupBy(intervals, (interval) => interval.sender ?? '')
  const gone = Map.groupBy(
    record.expired.filter((row) => row.source_id === source.id),
    (row) => row.sender,
  )
  const known = knownSenders(record, source)
  const names = new Set([...senders.keys(), ...gone.keys()])
  if (names.size === 0 && isServer) names.add('')
  return [...names].map((name) => {
    const own = senders.get(name) ?? []
    const before = gone.get(name) ?? []
    const by_host = Map.groupBy(own, (interval) => interval.host)
    const { row: sender, unreadable } = known(name)
    const wildcards = [...by_host.keys()].filter(isWildcard).sort((a, b) => b.length - a.length)
    const every_host = seenIn(by_host.get(EVERY_HOST) ?? [], unreadable)
    const expected = expectationOf(source, [...own, ...before], sender)
    const expired = new Set(before.map((row) => row.host))
    return { by_host, wildcards, except, expired, expected, unreadable, is_server: isServer, every_host }
  })
}

/** Its intervals for a host, by the host's name or for all hosts. */
export function intervalsOf(observer: Observer, host: string): readonly Interval[] {
  const { by_host, except } = observer
  const own = by_host.get(host) ?? []
  if (host === EVERY_HOST || except.has(host)) return own
  return own.concat(by_host.get(wildcardOf(observer, host) ?? '') ?? [], by_host.get(EVERY_HOST) ?? [])
}

function hasExpired({ expired }: Observer, host: string): boolean {
  return expired.has(host) || expired.has(EVERY_HOST)
}

/** Time that observers covered of a host, and time that each expected one covered in full. */
export function coverageOf(observers: readonly Observer[], host: string): HostCoverage {
  const looking = observers.filter(
    (observer) => observer.is_server || intervalsOf(observer, host).length > 0 || hasExpired(observer, host),
  )
  const seen = looking.map((observer) => ({ ...seenOf(observer, host), expected: observer.expected }))
  const [only, second] = seen
  if (only !== undefined && second === undefined) return { any: only.all, complete: only.whole }
  const anyWhole = union(seen.flatMap(({ whole }) => whole))
  return {
    any: union(seen.flatMap(({ all }) => all)),
    complete: seen.map(({ whole, expected }) => union([...whole, ...outside(expected)])).reduce(intersection, anyWhole),
  }
}

interface Seen {
  all: TimeRange[]
  whole: TimeRange[]
}

function seenOf(observer: Observer, host: string): Seen {
  const { by_host, except, every_host, unreadable } = observer
  if (host === EVERY_HOST) return every_host
  const named = [...(by_host.get(host) ?? []), ...(by_host.get(wildcardOf(observer, host) ?? '') ?? [])]
  const own = seenIn(named, unreadable)
  if (except.has(host)) return own
  return { all: union([...own.all, ...every_host.all]), whole: union([...own.whole, ...every_host.whole]) }
}

/** The time that is known to be covered in full, by intervals of any host. */
export function wholeCoverage(intervals: readonly Interval[]): TimeRange[] {
  return seenIn(intervals).whole
}

function seenIn(intervals: readonly Interval[], unreadable: readonly TimeRange[] = []): Seen {
  const whole = union(intervals.filter(isWhole).map(rangeOf))
  return { all: union(intervals.map(rangeOf)), whole: unreadable.length === 0 ? whole : without(whole, unreadable) }
}

export const rangeOf = ({ from_at, to_at }: Interval): TimeRange => ({ from: from_at, to: to_at })

const outside = ({ from, to }: TimeRange): TimeRange[] => [
  { from: Number.NEGATIVE_INFINITY, to: from },
  { from: to, to: Number.POSITIVE_INFINITY },
]

/** True for full coverage: neither sampled nor from the provider's history. */
function isWhole(interval: Interval): boolean {
  return interval.quality === 'complete' && interval.is_backfill !== 1 && !isSampledInterval(interval)
}

export function isSampledInterval({ sampling }: Interval): boolean {
  return typeof sampling === 'number' && sampling < 1
}
