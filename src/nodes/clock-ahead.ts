/** How far this machine's clock is ahead of the database's, by which nodes agree on the time (decisions 8.2). */
import type { ControlContext } from '#control/context.ts'

/** A node whose clock differs by more is not ready. */
const MAX_CLOCK_AHEAD_MS = 250

/**
 * One question to the database: by how many milliseconds the clock is surely ahead, negative when it is behind. What
 * the time that the answer took may account for is left out. @throws what the store throws.
 */
export async function measureClockAhead({ control, clock }: ControlContext): Promise<number> {
  const asked_at = clock.elapsed()
  const server = await control.server()
  if (server === null) return 0
  const error_ms = (clock.elapsed() - asked_at) / 2
  const ahead_ms = clock.now() - (server.now + error_ms)
  return Math.sign(ahead_ms) * Math.round(Math.max(0, Math.abs(ahead_ms) - error_ms))
}

export const isApart = (ahead_ms: number): boolean => Math.abs(ahead_ms) > MAX_CLOCK_AHEAD_MS
