/** Which events an answer may count: closed days by their builds, open and dirty days from facts. */
import { MINUTE_MS } from '#clock.ts'

/** A session ends when its visitor has been silent this long (spec 2.6 session_scope, rules 6). */
export const SESSION_SILENCE_MS = 30 * MINUTE_MS

export interface TrackerScope {
  site_id: string
  /**
   * Closed days that are read from their build, builds of the settled sessions of a day of `fact_days`, and all builds
   * of the day of `snapshot`.
   */
  builds: { day: string; build: number }[]
  /** Days that are read from facts: the open one, and closed ones without a build that counts. Ascending. */
  fact_days: string[]
  /** Epoch milliseconds; later events do not count. A session ends 30 minutes before it, or with its day. */
  cutoff: number
  /** The answer counts events of development origins like those of visitors; left out: it does not (rules 6.14). */
  with_development?: boolean
  /** Of one day that is read from facts only some sessions are; left out: all. */
  settling?: Settling
  /** The open day is read from builds that hold it up to `cutoff`, not from facts; left out: it is not. */
  snapshot?: SnapshotBuilds
}

/** Builds of those sessions of an open day that had not settled: others are in builds of settled sessions. */
export interface SnapshotBuilds {
  day: string
  /** Sessions that had ended by the cutoff. */
  ended: number
  /** Sessions that could still grow then. */
  growing: number
}

/**
 * Sessions of a day by the instant at which they had been silent long enough to grow no more: after `after` (epoch
 * milliseconds) and at `by` at the latest, null for those too that still can grow.
 */
export interface Settling {
  day: string
  after: number
  by: number | null
  /** What is known of these sessions beforehand; left out: nothing is. */
  known?: KnownSettling
}

export interface KnownSettling {
  /** No event of theirs was received before, epoch milliseconds. */
  from: number
  /** Builds of the sessions that had settled by `after`: a visitor may have one of those too. */
  builds: readonly number[]
}

/** The builds of a scope that last, and those of its snapshot, which the next snapshot replaces within seconds. */
export function splitBuilds<Build extends { build: number }>(
  builds: readonly Build[],
  { snapshot }: Pick<TrackerScope, 'snapshot'>,
): { lasting: Build[]; passing: Build[] } {
  const isPassing = ({ build }: Build) => build === snapshot?.ended || build === snapshot?.growing
  return { lasting: builds.filter((build) => !isPassing(build)), passing: builds.filter(isPassing) }
}

/** What a scope reads of builds that last, and what of facts or a snapshot: their counts add up. */
export function splitScope(scope: TrackerScope): { closed: TrackerScope; open: TrackerScope } {
  const { settling: _settling, snapshot: _snapshot, ...others } = scope
  const { lasting, passing } = splitBuilds(scope.builds, scope)
  // When the answer is given does not matter to builds that last.
  return { closed: { ...others, builds: lasting, fact_days: [], cutoff: 0 }, open: { ...scope, builds: passing } }
}

/** The same scope without sessions of its snapshot that could still grow. */
export const withoutGrowing = (scope: TrackerScope): TrackerScope => ({
  ...scope,
  builds: scope.builds.filter(({ build }) => build !== scope.snapshot?.growing),
})

/** The day of a scope of which builds hold only some sessions, or only those up to the cutoff; else undefined. */
export const dayStillOpen = ({ settling, snapshot }: Pick<TrackerScope, 'settling' | 'snapshot'>): string | undefined =>
  settling?.day ?? snapshot?.day

/** Sessions of builds. */
export type ClosedDays = Pick<TrackerScope, 'site_id' | 'builds'>

/** Whether these are days that are read from facts, not sessions of closed ones. */
export const isOfFacts = (of: TrackerScope | ClosedDays): of is TrackerScope => 'fact_days' in of

/** The UTC days of a scope, ascending: every day with an accepted event that may be counted. */
export const daysOf = ({ builds, fact_days }: Pick<TrackerScope, 'builds' | 'fact_days'>): string[] =>
  [...new Set([...builds.map(({ day }) => day), ...fact_days])].sort()

/** True when there is nothing to read, so that no statement needs to run. */
export function isEmptyScope(scope: TrackerScope): boolean {
  return scope.builds.length === 0 && scope.fact_days.length === 0
}
