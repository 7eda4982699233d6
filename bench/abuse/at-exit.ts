/** Cleans up when the harness ends, however it ends: processes, mounts, firewall rules. */
import { constants } from 'node:os'

type CleanUp = () => void

const registered = new Set<CleanUp>()

process.on('exit', () => cleanUpAllBut(new Set()))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  // TRICKY: not `once`. From a terminal a signal comes twice, by the launcher too, and without a handler the second one
  // would break off the clean-up (test/bench/abuse/at-exit.test.ts).
  process.on(signal, () => process.exit(128 + constants.signals[signal]))
}

/** @param cleanUp runs when the harness ends, also by a signal. @returns a function that cancels it. */
export function atExit(cleanUp: CleanUp): () => void {
  registered.add(cleanUp)
  return () => void registered.delete(cleanUp)
}

/** @returns runs at once what is registered from now on and not cancelled. */
export function cleanUpsFromNow(): CleanUp {
  const before = new Set(registered)
  return () => cleanUpAllBut(before)
}

/** The newest first. */
function cleanUpAllBut(kept: ReadonlySet<CleanUp>): void {
  for (const cleanUp of [...registered].reverse()) {
    if (kept.has(cleanUp)) continue
    registered.delete(cleanUp)
    try {
      cleanUp()
    } catch (error) {
      console.error(error)
    }
  }
}
