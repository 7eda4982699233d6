/**
 * Decides by a stranger's robots.txt in a thread of its own, so that a hostile file holds up nothing else (rules 8.5).
 */
import { Worker } from 'node:worker_threads'
import type { RobotsFetch } from './availability.ts'
import type { ObservedDecision } from './observed.ts'
import type { RobotsCrawler } from './vendor-reading.ts'

export interface RobotsQuestion {
  fetch: RobotsFetch
  is_challenge: boolean
  /** The file is where Spoor does not go. */
  is_declined?: boolean | undefined
  /** Path and query; a path/v1 has no query, which `isStoredPath` says. */
  target: string
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
  /** One for each crawler, in their order. */
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

export async function decideInThread(question: RobotsQuestion, limits = LIMITS): Promise<ThreadAnswer> {
  const worker = new Worker(new URL('./decide.worker.ts', import.meta.url), {
    workerData: { question, processor_ms: limits.processor_ms } satisfies ThreadTask,
    resourceLimits: MEMORY,
  })
  const givenUp = { decisions: question.crawlers.map(() => TOO_COMPLEX), content_signal: null, content_usage: null }
  let timer: NodeJS.Timeout | undefined
  try {
    return await new Promise<ThreadAnswer>((resolve, reject) => {
      timer = setTimeout(() => resolve(givenUp), limits.wait_ms)
      worker.once('message', resolve)
      worker.once('error', (error: NodeJS.ErrnoException) =>
        error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? resolve(givenUp) : reject(error),
      )
    })
  } finally {
    clearTimeout(timer)
    await worker.terminate()
  }
}

export const TOO_COMPLEX: ThreadDecision = {
  ...{ decision: 'unknown', group: null, rule: null, line: null, deviation: null },
  ...{ reason: 'robots_too_complex', engine: null },
}
