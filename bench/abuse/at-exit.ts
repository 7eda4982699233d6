/** Cleans up when the harness ends, however it ends: processes, mounts, firewall rules. */
import { constants } from 'node:os'

const ends = new Set<() => void>()

process.on('exit', () => endAllBut(new Set()))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  // TRICKY: not `once`. From a terminal a signal comes twice, by the launcher too, and without a handler the second one
  // would break off the clean-up (test/bench/abuse/at-exit.test.ts).
  process.on(signal, () => process.exit(128 + constants.signals[signal]))
}

/** @param end runs when the harness ends, also by a signal. @returns a function that cancels it. */
export function atExit(end: () => void): () => void {
  ends.add(end)
  return () => void ends.delete(end)
}

/** @returns ends at once whatever has begun since and has not ended. */
export function endsFromNow(): () => void {
  const before = new Set(ends)
  return () => endAllBut(before)
}

function endAllBut(kept: ReadonlySet<() => void>): void {
  for (const end of [...ends].reverse()) {
    if (kept.has(end)) continue
    ends.delete(end)
    try {
      end()
    } catch (error) {
      console.error(error)
    }
  }
}
