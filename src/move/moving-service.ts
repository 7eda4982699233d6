/** The parts of a running service that a move stops before the last piece, and resumes if it fails. */
import { RunningWork } from '#concurrency/running-work.ts'
import { CollectRefusal } from '#tracker/collection/collect-refusal.ts'
import type { Collector } from '#tracker/collection/collector.ts'
import type { ServingParts } from './move-source.ts'

/** Seconds after which a sender may try again. */
export const MOVING_RETRY_SECONDS = 30

type Taking = Pick<Collector, 'collect' | 'collectFromServer' | 'noteLoad'>

interface Stoppable {
  stop(): Promise<void>
}

export interface MovingService {
  /** Accepts events in place of the collector. */
  taking: Taking
  /** True while nothing may be stored. */
  isMoving(): boolean
  /** Starts background work, which a move can stop and start again; `stop` ends it for good. */
  runJobs(start: () => Stoppable): Stoppable & { serving: ServingParts }
}

/** Pauses the collector during the last piece: accepted events are stored, further ones are refused. */
export function movingService(
  collector: Pick<Collector, 'settle' | 'mark' | 'pause' | 'resume'> & Taking,
): MovingService {
  let is_moving = false
  const running = new RunningWork()
  const pass = <T>(work: () => Promise<T>): Promise<T> => (is_moving ? Promise.reject(moving()) : running.track(work()))
  return {
    taking: {
      collect: (request) => pass(() => collector.collect(request)),
      collectFromServer: (request) => pass(() => collector.collectFromServer(request)),
      noteLoad: (load) => pass(() => collector.noteLoad(load)),
    },
    isMoving: () => is_moving,
    runJobs(start) {
      let jobs = start()
      let is_ended = false
      return {
        stop() {
          is_ended = true
          return jobs.stop()
        },
        serving: {
          stopJobs: () => jobs.stop(),
          async refuseWrites() {
            is_moving = true
            await running.ended()
            await collector.settle()
            await collector.mark()
            // False if the move has stopped waiting meanwhile, and has resumed the collector.
            if (is_moving) collector.pause()
          },
          resume() {
            is_moving = false
            collector.resume()
            // A service that is stopping closes its stores, so its jobs must not start again.
            if (!is_ended) jobs = start()
          },
        },
      }
    },
  }
}

const moving = () =>
  new CollectRefusal('unavailable', 'moving', 'The service moves to other stores; send it again in a minute.', {
    retry_after: MOVING_RETRY_SECONDS,
  })
