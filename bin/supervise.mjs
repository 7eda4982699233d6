/** Keeps a script running: one that crashes is started again, and one that stops answering is killed first. */
import { constants } from 'node:os'

const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP']
const TICK_MS = 500
/** Codes by which a script ends by itself: done, failed, bad usage. Starting it again would change nothing. */
const OWN_ENDS = [0, 1, 2]

/**
 * The response to crashes: pauses double from the first to the longest; a run of `stable_ms` ends a series of failures.
 */
export const PACE = { first_pause_ms: 1_000, max_pause_ms: 60_000, max_failures: 8, stable_ms: 300_000 }

/**
 * Runs what `start()` spawns and ends this process the way it ends: with its exit code, or 128 + n when signal n ended
 * it. Signals are passed on. A script asks to be supervised by a message `{ alive: { silence_ms } }` and repeats it as
 * long as it is well: from then on a crash, or a silence longer than `silence_ms` (after which it is killed with
 * SIGKILL), restarts it, until it fails too often in a row: exit code 1. A script that sends nothing, like every short
 * command, runs once.
 */
export function supervise(start, pace = PACE) {
  const say = (text) => process.stderr.write(`spoor: ${text}\n`)
  let child = null
  let silence_ms = null
  let silent_ms = 0
  let is_stopping = false
  let was_silent = false
  let failures = 0
  let started_at = 0

  const run = () => {
    started_at = performance.now()
    silent_ms = 0
    was_silent = false
    child = start()
    child.on('message', (message) => {
      if (typeof message?.alive?.silence_ms !== 'number') return
      if (silence_ms === null) setInterval(tick, TICK_MS)
      silence_ms = message.alive.silence_ms
      silent_ms = 0
    })
    child.on('exit', ended)
  }

  /**
   * Counts ticks of this process instead of time, because both processes stop together when the machine sleeps or a
   * terminal stops them.
   */
  const tick = () => {
    if (child === null || was_silent) return
    silent_ms += TICK_MS
    if (silent_ms <= silence_ms) return
    was_silent = true
    child.kill('SIGKILL')
  }

  const ended = (code, signal) => {
    child = null
    const by_itself = signal === null ? OWN_ENDS.includes(code) : FORWARDED.includes(signal)
    if (silence_ms === null || is_stopping || by_itself) {
      process.exit(signal === null ? code : 128 + constants.signals[signal])
    }
    const why = was_silent
      ? `the service has not answered for ${silence_ms / 1_000} s and was killed`
      : `the service ended by ${signal ?? `exit code ${code}`}`
    if (performance.now() - started_at >= pace.stable_ms) failures = 0
    failures += 1
    if (failures >= pace.max_failures) {
      say(`${why}, ${failures} times in a row: giving up. Its log says more; spoor doctor checks the installation.`)
      process.exit(1)
    }
    const pause_ms = Math.min(pace.first_pause_ms * 2 ** (failures - 1), pace.max_pause_ms)
    say(`${why}; it starts again in ${pause_ms / 1_000} s (${failures} of ${pace.max_failures} failures in a row)`)
    setTimeout(() => is_stopping || run(), pause_ms)
  }

  for (const signal of FORWARDED) {
    process.on(signal, () => {
      is_stopping = true
      // Between two runs, there is no process to stop.
      if (child === null) process.exit(0)
      child.kill(signal)
    })
  }
  run()
}
