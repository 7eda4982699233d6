/** The time that all nodes share, independent of the clocks of their machines: the database's (decisions 8.2). */
import type { Clock } from '#clock.ts'
import type { ControlStore } from '#control/store.ts'

/** A node whose clock differs by more is not ready, and starts no job. */
const MAX_CLOCK_OFFSET_MS = 250

export interface SharedClock extends Clock {
  /**
   * Asks the database for its time, which `shared` follows from then on; before, `shared` is the machine's time.
   * Resolves with the milliseconds by which the machine's clock is certainly ahead (negative: behind): a difference
   * that the delay of the answer may explain does not count. @throws errors of the store.
   */
  compare(control: Pick<ControlStore, 'server'>): Promise<number>
}

/**
 * Between two comparisons the shared time follows the monotonic clock, so that setting the machine's clock has no
 * effect.
 */
export function sharedClock(machine: Clock): SharedClock {
  /** The shared time at which the monotonic clock read zero. */
  let began_at: number | null = null
  return {
    now: () => machine.now(),
    elapsed: () => machine.elapsed(),
    shared: () => (began_at === null ? machine.shared() : Math.round(began_at + machine.elapsed())),
    async compare(control) {
      const asked_at = machine.elapsed()
      const server = await control.server()
      if (server === null) return 0
      const [elapsed, now] = [machine.elapsed(), machine.now()]
      // The database read its clock at some instant between the request and its answer.
      const within = (at: number) => Math.min(Math.max(at, server.now), server.now + elapsed - asked_at)
      began_at = within(began_at === null ? now : began_at + elapsed) - elapsed
      return Math.round(now - within(now))
    },
  }
}

/** Whether a clock that is ahead or behind by this much is too far from the database’s clock. */
export const isTooFarOff = (ahead_ms: number): boolean => Math.abs(ahead_ms) > MAX_CLOCK_OFFSET_MS
