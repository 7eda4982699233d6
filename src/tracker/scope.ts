/** The events that an answer counts: closed days from their builds, open and dirty days from facts. */
import { MINUTE_MS } from '#clock.ts'

/** A session ends when its visitor sends no event for this long (spec 2.6 session_scope, rules 6). */
export const SESSION_SILENCE_MS = 30 * MINUTE_MS

export interface TrackerScope {
  site_id: string
  /**
   * The builds of closed days, the builds of settled sessions of a day of `fact_days`, and all builds of the day of
   * `snapshot`.
   */
  builds: { day: string; build: number }[]
  /** Days that are read from facts: the open one, and closed ones without a build that counts. Ascending. */
  fact_days: string[]
  /** Epoch milliseconds; later events do not count. A session ends 30 minutes before it, or with its day. */
  cutoff: number
  /** Whether events of development origins count like those of visitors; false by default (rules 6.14). */
  with_development?: boolean
  /** The sessions of one day that are read from facts; if absent, all are. */
  settling?: Settling
  /** The builds that hold the open day up to `cutoff`; if absent, the open day is read from facts. */
  snapshot?: SnapshotBuilds
}

/** The builds of the sessions of an open day that had not settled; settled sessions are in other builds. */
export interface SnapshotBuilds {
  day: string
  /** The build of the sessions that had ended by the cutoff. */
  ended: number
  /** The build of the sessions that could still grow. */
  growing: number
}

/**
 * The sessions of a day that settled later than `after` and by `by` (epoch milliseconds): from then on they could not
 * grow any more. With `by` null, sessions that can still grow are included.
 */
export interface Settling {
  day: string
  after: number
  by: number | null
  /** Only sessions of visitors with an event that was received later than this, epoch milliseconds; else of all. */
  active_after?: number
  /** Only sessions of visitors who have an event that was received by then, too. */
  active_by?: number
  /** What is already known of these sessions. */
  known?: KnownSettling
}

export interface KnownSettling {
  /** All their events were received at this instant or later, epoch milliseconds. */
  from: number
  /** Builds of the sessions that had settled by `after`: a visitor may have one of those, too. */
  builds: readonly number[]
}

/** The permanent builds of a scope, and those of its snapshot, which the next snapshot replaces within seconds. */
export function splitBuilds<Build extends { build: number }>(
  builds: readonly Build[],
  { snapshot }: Pick<TrackerScope, 'snapshot'>,
): { permanent: Build[]; temporary: Build[] } {
  const isTemporary = ({ build }: Build) => build === snapshot?.ended || build === snapshot?.growing
  return { permanent: builds.filter((build) => !isTemporary(build)), temporary: builds.filter(isTemporary) }
}

/** Splits a scope into what it reads from permanent builds, and from facts or a snapshot. The sum of both is whole. */
export function splitScope(scope: TrackerScope): { closed: TrackerScope; open: TrackerScope } {
  const { settling: _settling, snapshot: _snapshot, ...others } = scope
  const { permanent, temporary } = splitBuilds(scope.builds, scope)
  // A constant cutoff, because permanent builds do not depend on it, and the statement can be cached.
  return { closed: { ...others, builds: permanent, fact_days: [], cutoff: 0 }, open: { ...scope, builds: temporary } }
}

/** The same scope without sessions of its snapshot that could still grow. */
export const withoutGrowing = (scope: TrackerScope): TrackerScope => ({
  ...scope,
  builds: scope.builds.filter(({ build }) => build !== scope.snapshot?.growing),
})

/** The open day of a scope if builds hold a part of it. */
export const openDayWithBuilds = ({
  settling,
  snapshot,
}: Pick<TrackerScope, 'settling' | 'snapshot'>): string | undefined => settling?.day ?? snapshot?.day

/** The sessions of builds. */
export type ClosedDays = Pick<TrackerScope, 'site_id' | 'builds'>

/** Whether the days are read from facts, not from builds. */
export const isReadFromFacts = (of: TrackerScope | ClosedDays): of is TrackerScope => 'fact_days' in of

/** The UTC days of a scope, ascending: every day with an accepted event that may be counted. */
export const daysOf = ({ builds, fact_days }: Pick<TrackerScope, 'builds' | 'fact_days'>): string[] =>
  [...new Set([...builds.map(({ day }) => day), ...fact_days])].sort()

/** Whether there is nothing to read, so that no statement needs to run. */
export function isEmptyScope(scope: TrackerScope): boolean {
  return scope.builds.length === 0 && scope.fact_days.length === 0
}
