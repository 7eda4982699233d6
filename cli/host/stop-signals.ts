/** How a command takes SIGINT, SIGTERM and SIGHUP: the first asks it to stop in order, a later one ends it at once. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { systemClock } from '#clock.ts'
import { Refusal } from '#refusal.ts'
import { note } from '../output.ts'
import { commandHost, type StopSignal } from './command-host.ts'

const SIGNALS: readonly StopSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP']
/** TRICKY: one Ctrl-C arrives from the terminal, npm and the launcher ("one Ctrl-C that arrives twice"). */
const ECHO_MS = 500

/** Calls `stop` at the first signal; returns a function that removes the listeners. */
export function onStopSignal(stop: (signal: StopSignal) => void): () => void {
  const clock = systemClock()
  const host = commandHost()
  let asked_at: number | null = null
  // Signals arrive outside of the command's context, but `stop` must run inside of it.
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

/** Stops work at the first signal: prints `words` and aborts with a refusal; `end` ends the process by that signal. */
export function breakOffOnSignal(words: string, refusal: string, json: boolean): { signal: AbortSignal; end(): void } {
  const breaking = new AbortController()
  let stopped_by: StopSignal | null = null
  const release = onStopSignal((signal) => {
    stopped_by = signal
    note(json ? words : `spoor: ${words}`, json)
    breaking.abort(new Refusal('not_readable', refusal))
  })
  return {
    signal: breaking.signal,
    end() {
      release()
      if (stopped_by !== null) commandHost().endBy(stopped_by)
    },
  }
}
