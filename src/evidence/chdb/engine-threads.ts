/** Lowers the priority of the engine's threads, and of Node's pool, below that of the main thread (ADR 51). */
import { readdirSync, readFileSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'

/** By how much their nice value is higher than that of the main thread: nice(2). */
const NICER = 10
const MAX_NICE = 19
/** Threads of Node that the main thread waits for, such as those of the garbage collector. */
const OF_NODE = /^node-/

/**
 * When all processors are busy, the main thread would otherwise wait among the engine's threads. Only Linux has
 * priorities of threads. A thread inherits the priority of the thread that starts it, so one call after opening is
 * enough.
 */
export function lowerEngineThreads(): void {
  if (process.platform !== 'linux') return
  const nice = Math.min(MAX_NICE, getPriority() + NICER)
  for (const thread of readdirSync('/proc/self/task').map(Number)) {
    try {
      if (thread === process.pid || OF_NODE.test(readFileSync(`/proc/self/task/${thread}/comm`, 'utf8'))) continue
      setPriority(thread, nice)
    } catch {
      // The thread has ended, or this process may not change priorities: then all threads stay equal.
    }
  }
}
