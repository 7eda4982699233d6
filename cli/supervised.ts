import { type Pulse, startPulse } from '#health/pulse.ts'
import { commandHost } from './command-host.ts'

const EVERY_MS = 2_000

/**
 * Asks the launcher to start this process again when it crashes or falls silent for `limit_seconds`, and sends it signs of life;
 * null when the limit is 0 or nobody launched this process (bin/supervise.mjs is the other side).
 */
export function askForSupervision(limit_seconds: number): Pulse | null {
  const host = commandHost()
  if (limit_seconds === 0 || host.sendToLauncher === null) return null
  const silence_ms = limit_seconds * 1_000
  return startPulse({
    every_ms: Math.min(EVERY_MS, silence_ms / 4),
    beat: () => host.sendToLauncher?.({ alive: { silence_ms } }),
  })
}
