/** How long this process's event loop is blocked. */
import { monitorEventLoopDelay } from 'node:perf_hooks'

export interface HeldUp {
  /** The longest delay in elapsed time, milliseconds, including time that the processor spent on other processes. */
  longest: number
  /** The longest that the main thread worked between two runs of a timer, in its own processor time, milliseconds. */
  own_longest: number
  /** Processor time of the main thread, microseconds. */
  own_us: number
}

/** Measures from now until the result is read. */
export function measureLoopDelay(): () => HeldUp {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const started = process.threadCpuUsage()
  let before = started
  let own_longest = 0
  const timer = setInterval(() => {
    const used = process.threadCpuUsage(before)
    before = process.threadCpuUsage()
    own_longest = Math.max(own_longest, (used.user + used.system) / 1_000)
  }, 1)
  return () => {
    delay.disable()
    clearInterval(timer)
    const { user, system } = process.threadCpuUsage(started)
    return { longest: delay.max / 1e6, own_longest, own_us: user + system }
  }
}
