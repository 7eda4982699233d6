/** How far this machine's clock is ahead of the database's, by which nodes agree on the time (decisions 8.2). */
import type { ControlContext } from '#control/context.ts'

/** A node whose clock differs by more is not ready. */
export const MAX_CLOCK_AHEAD_MS = 250

export interface MeasuredClock {
  /** Negative when it is behind. */
  ahead_ms: number
  /** The true value differs by at most this: the answer was under way for twice as long. */
  error_ms: number
}

/** One question to the database. @throws what the store throws. */
export async function measureClock({ control, clock }: ControlContext): Promise<MeasuredClock> {
  const asked_at = clock.elapsed()
  const server = await control.server()
  const error_ms = (clock.elapsed() - asked_at) / 2
  if (server === null) return { ahead_ms: 0, error_ms: 0 }
  return { ahead_ms: Math.round(clock.now() - (server.now + error_ms)), error_ms }
}

/** Whether a clock is surely too far off: a slow answer proves nothing. */
export const isApart = ({ ahead_ms, error_ms }: MeasuredClock): boolean =>
  Math.abs(ahead_ms) - error_ms > MAX_CLOCK_AHEAD_MS
