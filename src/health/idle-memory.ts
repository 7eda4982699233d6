/** Frees memory that past work left allocated, once the service has been idle for some minutes. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { MINUTE_MS } from '#clock.ts'

/** Share of a processor that a service without requests stays below: its jobs look what is due. */
const IDLE_SHARE = 0.1
const IDLE_MINUTES = 3

interface IdleMemoryOptions {
  /** Processor time of this process so far, milliseconds. */
  usedMs?: () => number
  /** Collects all garbage and frees empty pages. */
  collect?: () => void
  /** Frees memory that the evidence store's engine does not need now. */
  releaseStore?: () => void
}

/**
 * Looks once a minute; returns what ends it. After a collection the next one comes only when something was done in
 * between. Node keeps up to 100 MB of empty pages after load, and holds the event loop for the time of a collection,
 * which is why it happens only while there is hardly anybody to wait.
 */
export function freeIdleMemory({
  usedMs = processorMs,
  collect = collectAll,
  releaseStore = () => {},
}: IdleMemoryOptions = {}): () => void {
  let used = usedMs()
  let idle_minutes = 0
  const timer = setInterval(() => {
    const now = usedMs()
    const is_idle = now - used < IDLE_SHARE * MINUTE_MS
    used = now
    idle_minutes = is_idle ? idle_minutes + 1 : 0
    if (idle_minutes !== IDLE_MINUTES) return
    collect()
    releaseStore()
  }, MINUTE_MS)
  timer.unref()
  return () => clearInterval(timer)
}

function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

/** TRICKY: an ordinary collection keeps freed pages for later; one of last resort returns them to the system. */
function collectAll(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as (options: { type: 'major'; flavor: 'last-resort' }) => void
  collect({ type: 'major', flavor: 'last-resort' })
}
