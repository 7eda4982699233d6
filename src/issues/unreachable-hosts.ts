/**
 * What inspections say of whether a host can be reached at all, as a pure reading of their results (rules 8.1,
 * unreachable).
 */
import { MINUTE_MS } from '#clock.ts'
import type { InspectionRow } from '#control/tables.ts'
import { resultOf } from '#inspections/queue.ts'
import type { IssueCause } from './status-causes.ts'

export type FailedStage = 'name' | 'certificate' | 'connection'

/**
 * One look at a host, that reached it or failed; looks that failed because nothing outside could be reached are none.
 */
export interface HostLook {
  inspection_id: string
  at: number
  scheme: 'https' | 'http'
  /** Null: the host was reached. */
  failure: { stage: FailedStage; code: string } | null
}

/** Looks that failed alike, one after the other, the newest of the host among them. */
export interface FailingRun {
  first: HostLook
  last: HostLook
  stage: FailedStage
  code: string
  scheme: 'https' | 'http'
  inspection_ids: string[]
}

export const MIN_RUN_MS = 10 * MINUTE_MS

/** The looks of inspections, in the order of their ends. */
export function looksOf(rows: readonly InspectionRow[]): HostLook[] {
  return rows
    .flatMap((row): HostLook[] => {
      const result = resultOf(row)
      if (result === null || row.ended_at === null) return []
      const { unreachable, scheme } = result
      if (unreachable !== null && !unreachable.is_outside_reached) return []
      const failure = unreachable === null ? null : { stage: unreachable.stage, code: unreachable.code }
      return [{ inspection_id: row.id, at: row.ended_at, scheme, failure }]
    })
    .sort((a, b) => a.at - b.at)
}

/**
 * The run of failures that the newest look ends; null when it reached the host. @param after only looks after this
 * instant.
 */
export function failingRun(looks: readonly HostLook[], after = 0): FailingRun | null {
  const newest = looks.at(-1)
  if (newest === undefined || newest.failure === null || newest.at <= after) return null
  const { failure, scheme } = newest
  const isAlike = (look: HostLook) => look.at > after && look.failure?.stage === failure.stage && look.scheme === scheme
  const start = looks.findLastIndex((look) => !isAlike(look)) + 1
  const run = looks.slice(start)
  return {
    first: run[0] as HostLook,
    last: newest,
    stage: failure.stage,
    code: failure.code,
    scheme,
    inspection_ids: [run[0] as HostLook, newest].map(({ inspection_id }) => inspection_id),
  }
}

/** Two failures, far enough apart not to be one moment. */
export const isLongEnough = ({ first, last }: FailingRun): boolean => last.at - first.at >= MIN_RUN_MS

/** A connection that fails has many causes. */
export const causeOfStage = (stage: FailedStage): IssueCause =>
  (({ name: 'dns', certificate: 'tls', connection: 'unknown' }) as const)[stage]
