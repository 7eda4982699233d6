/** How a command takes SIGINT, SIGTERM and SIGHUP: the first asks it to stop in order, a later one ends it at once. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { systemClock } from '#clock.ts'
import { commandHost, type StopSignal } from './command-host.ts'

const SIGNALS: readonly StopSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP']
/** TRICKY: one Ctrl-C arrives several times, from the terminal, npm and the launcher ("one Ctrl-C that arrives twice"). */
const ECHO_MS = 500

/** Calls `stop` at the first signal; returns a function that gives the signals back. */
export function onStopSignal(stop: (signal: StopSignal) => void): () => void {
  const clock = systemClock()
  const host = commandHost()
  let asked_at: number | null = null
  // A signal comes from outside; what it stops still belongs to this command.
  const take = AsyncLocalStorage.bind((signal: StopSignal) => {
    if (asked_at === null) {
      asked_at = clock.elapsed()
      stop(signal)
    } else if (clock.elapsed() - asked_at > ECHO_MS) host.endBy(signal)
  })
  for (const signal of SIGNALS) host.signals.on(signal, take)
  return () => {
    for (const signal of SIGNALS) host.signals.off(signal, take)
  }
}
