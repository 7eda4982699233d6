/** Threads of the engine, and of Node's pool that wait for its statements, give way to the thread that answers. */
import { readdirSync, readFileSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'

/** How much higher their nice value is than that of the thread that answers: nice(2). */
const NICER = 10
const MAX_NICE = 19
/** Threads of Node that the thread that answers waits for, such as those that collect garbage. */
const OF_NODE = /^node-/

/**
 * With both processors busy, the thread that answers otherwise waits for its turn among the engine's threads. Linux
 * alone has priorities of threads; a thread takes over that of the one which started it, so once after opening is
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
      // It has ended, or this process may not change priorities: then all threads stay equal.
    }
  }
}
