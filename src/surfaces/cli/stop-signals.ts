/** How a command takes SIGINT, SIGTERM and SIGHUP: the first asks it to stop in order, a later one ends it at once. */
import { systemClock } from '#clock.ts'

export type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP'

const SIGNALS: readonly StopSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP']
/** TRICKY: one Ctrl-C arrives several times, from the terminal, npm and the launcher ("one Ctrl-C that arrives twice"). */
const ECHO_MS = 500

/** Calls `stop` at the first signal; returns a function that gives the signals back. */
export function onStopSignal(stop: (signal: StopSignal) => void): () => void {
  const clock = systemClock()
  let asked_at: number | null = null
  const take = (signal: StopSignal) => {
    if (asked_at === null) {
      asked_at = clock.elapsed()
      stop(signal)
    } else if (clock.elapsed() - asked_at > ECHO_MS) endBy(signal)
  }
  for (const signal of SIGNALS) process.on(signal, take)
  return () => {
    for (const signal of SIGNALS) process.off(signal, take)
  }
}

/** Ends this process by the signal itself, so that shells and supervisors see why; nothing more of it runs. */
export function endBy(signal: StopSignal): void {
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
}
