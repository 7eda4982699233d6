/** The only reader of the time. All else takes a Clock, so that archived logs and simulations have their own time. */
export interface Clock {
  /** Milliseconds since the Unix epoch, UTC, as the service sees it. */
  now(): number
  /** Milliseconds of a monotonic clock, for durations only. */
  elapsed(): number
  /**
   * Milliseconds since the Unix epoch by the clock that all nodes of an installation share. Instants that nodes compare
   * with each other use it, such as the ends of leases. With one service it is `now`.
   */
  shared(): number
}

/** The machine's clock, or one that starts at `startAt` (epoch milliseconds) and ticks on from there. */
export function systemClock(startAt?: number): Clock {
  const offset = startAt === undefined ? 0 : startAt - Date.now()
  const now = () => Date.now() + offset
  return { now, elapsed: () => performance.now(), shared: now }
}

export const DAY_MS = 86_400_000
export const HOUR_MS = 3_600_000
export const MINUTE_MS = 60_000

/** An instant as the wire writes it: UTC, `Z`, milliseconds (rules 1). */
export function instantText(instant: number): string {
  return new Date(instant).toISOString()
}

/** `instantText` of an instant that may be null. */
export const instantOrNull = (instant: number | null): string | null => (instant === null ? null : instantText(instant))
