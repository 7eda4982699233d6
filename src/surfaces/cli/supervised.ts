import { type Pulse, startPulse } from '#health/pulse.ts'

const EVERY_MS = 2_000

/**
 * Asks the launcher to start this process again when it crashes or falls silent for `limit_seconds`, and sends it signs of life;
 * null when the limit is 0 or nobody launched this process (bin/supervise.mjs is the other side).
 */
export function askForSupervision(limit_seconds: number): Pulse | null {
  if (limit_seconds === 0 || !process.connected) return null
  const silence_ms = limit_seconds * 1_000
  return startPulse({
    every_ms: Math.min(EVERY_MS, silence_ms / 4),
    beat() {
      // A launcher that is gone ends this process by other means.
      if (process.connected) process.send?.({ alive: { silence_ms } }, undefined, undefined, () => {})
    },
  })
}
