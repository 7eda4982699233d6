/** Lowers the priority of the engine's threads, and of Node's pool, below that of the main thread (ADR 51). */
import { readdirSync, readFileSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'

/** By how much their nice value is higher than that of the main thread: nice(2). */
const NICER = 10
/**
 * The same for threads while they run a statement of a kind. Requests wait for reads and writes; derivations of days
 * can wait for both.
 */
const NICER_IN = { read: 5, write: 5, derivation: 15 }
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
  const nice = niceValue(NICER)
  for (const thread of readdirSync('/proc/self/task').map(Number)) {
    try {
      if (thread === process.pid || OF_NODE.test(readFileSync(`/proc/self/task/${thread}/comm`, 'utf8'))) continue
      setPriority(thread, nice)
    } catch {
      // The thread has ended, or this process may not change priorities: then all threads stay equal.
    }
  }
}

/**
 * The setting for the priority of a statement. The engine applies it only in processes with CAP_SYS_NICE, because a
 * thread has to get its earlier priority back; elsewhere it ignores the setting.
 */
export function priorityOf(kind: keyof typeof NICER_IN): { os_threads_nice_value_query: number } {
  return { os_threads_nice_value_query: niceValue(NICER_IN[kind]) }
}

const niceValue = (nicer: number): number => Math.min(MAX_NICE, getPriority() + nicer)
