/**
 * Decides by a robots.txt in a separate thread, so that a hostile file delays nothing else (rules 8.5).
 */
import { Worker } from 'node:worker_threads'
import { AtOnce } from '#concurrency/at-once.ts'
import type { RobotsFetch } from './availability.ts'
import type { ObservedDecision } from './observed.ts'
import type { RobotsCrawler } from './vendor-reading.ts'

export interface RobotsQuestion {
  fetch: RobotsFetch
  is_challenge: boolean
  /** The file is where Spoor does not go. */
  is_declined?: boolean | undefined
  /** A file was sent, in a form that Spoor cannot read. */
  is_unreadable?: boolean | undefined
  /** Paths and queries; a path/v1 has no query, which `isStoredPath` says. */
  targets: readonly string[]
  isStoredPath: boolean
  crawlers: readonly RobotsCrawler[]
}

/** `robots_too_complex`: the file had used up its processor time. */
export interface ThreadDecision extends Omit<ObservedDecision, 'reason' | 'engine'> {
  reason: ObservedDecision['reason'] | 'robots_too_complex'
  /** The engine's decision; null where there was no time for one. */
  engine: ObservedDecision['engine'] | null
}

export interface ThreadAnswer {
  /** One for each crawler, in their order; of several targets those of the first come first. */
  decisions: ThreadDecision[]
  /** Preferences that the groups of `*` state beside their rules, as written; null where they state none. */
  content_signal: string | null
  content_usage: string | null
}

export interface ThreadLimits {
  /** Processor time of a file, whatever the number of crawlers. */
  processor_ms: number
  /** Waiting on a busy machine does not count, within reason. */
  wait_ms: number
}

const LIMITS: ThreadLimits = { processor_ms: 2_000, wait_ms: 10_000 }
/** What the thread is handed. */
export interface ThreadTask {
  question: RobotsQuestion
  processor_ms: number
}

const MEMORY = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 }

/** As many as concurrent inspections. */
const threads = new AtOnce(4)

/**
 * Decides in a thread that is ended when it takes too long or too much memory. Further questions wait: a site may have
 * 60 access checks at once, each of a hostile file, and each thread would take its memory.
 */
export const decideInThread = (question: RobotsQuestion, limits = LIMITS): Promise<ThreadAnswer> =>
  threads.run(() => decideNow(question, limits))

async function decideNow(question: RobotsQuestion, limits: ThreadLimits): Promise<ThreadAnswer> {
  const worker = takeWorker()
  let timer: NodeJS.Timeout | undefined
  try {
    const answer = await new Promise<ThreadAnswer | null>((resolve, reject) => {
      timer = setTimeout(() => resolve(null), limits.wait_ms)
      worker.once('message', resolve)
      worker.once('error', (error: NodeJS.ErrnoException) =>
        error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? resolve(null) : reject(error),
      )
      worker.postMessage({ question, processor_ms: limits.processor_ms } satisfies ThreadTask)
    })
    if (answer !== null) {
      keep(worker)
      return answer
    }
    await worker.terminate()
    const decisions = question.targets.flatMap(() => question.crawlers.map(() => TOO_COMPLEX))
    return { decisions, content_signal: null, content_usage: null }
  } catch (error) {
    await worker.terminate()
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** Idle threads with the timers that end them: starting one takes longer than deciding by most files. */
const idle = new Map<Worker, NodeJS.Timeout>()
const IDLE_MS = 30_000

function takeWorker(): Worker {
  for (const [worker, end] of idle) {
    clearTimeout(end)
    idle.delete(worker)
    // TRICKY: without a name Node's own listeners go as well, and the thread is never heard again.
    worker.removeAllListeners('error')
    worker.ref()
    return worker
  }
  return new Worker(new URL('./decide.worker.ts', import.meta.url), { resourceLimits: MEMORY })
}

/** Keeps an idle thread for the next decision; it does not keep the process alive. */
function keep(worker: Worker): void {
  worker.removeAllListeners('error')
  const end = () => {
    idle.delete(worker)
    void worker.terminate()
  }
  worker.once('error', end)
  worker.unref()
  idle.set(worker, setTimeout(end, IDLE_MS).unref())
}

export const TOO_COMPLEX: ThreadDecision = {
  decision: 'unknown',
  group: null,
  rule: null,
  line: null,
  deviation: null,
  reason: 'robots_too_complex',
  engine: null,
}
