/** Whether inspections can reach a host at all; pure functions of their results (rules 8.1, unreachable). */
import { MINUTE_MS } from '#clock.ts'
import type { InspectionRow } from '#control/tables.ts'
import { resultOf } from '#inspections/queue.ts'
import type { IssueCause } from '../texts/status-causes.ts'

export type FailedStage = 'name' | 'certificate' | 'connection'

/**
 * One inspection that reached the host or failed to. Inspections during an outage of Spoor's own network do not count,
 * nor those of an address that Spoor does not request.
 */
export interface HostCheck {
  inspection_id: string
  at: number
  scheme: 'https' | 'http'
  /** Null: the host was reached. */
  failure: { stage: FailedStage; code: string } | null
}

/** Consecutive inspections that failed in the same way, up to the newest inspection of the host. */
export interface FailingRun {
  first: HostCheck
  last: HostCheck
  stage: FailedStage
  code: string
  scheme: 'https' | 'http'
  inspection_ids: string[]
}

export const MIN_RUN_MS = 10 * MINUTE_MS

/** The inspections that count, in the order in which they ended. */
export function hostChecksOf(rows: readonly InspectionRow[]): HostCheck[] {
  return rows
    .flatMap((row): HostCheck[] => {
      const result = resultOf(row)
      if (result === null || row.ended_at === null) return []
      const { unreachable, scheme, as_ourselves } = result
      const isDeclined = as_ourselves?.state === 'refused_destination' && as_ourselves.hops.length === 0
      if (isDeclined || (unreachable !== null && !unreachable.is_outside_reached)) return []
      const failure = unreachable === null ? null : { stage: unreachable.stage, code: unreachable.code }
      return [{ inspection_id: row.id, at: row.ended_at, scheme, failure }]
    })
    .sort((a, b) => a.at - b.at)
}

/**
 * The run of failures up to the newest inspection; null if that one reached the host. @param after only inspections
 * after this instant count.
 */
export function failingRun(checks: readonly HostCheck[], after = 0): FailingRun | null {
  const newest = checks.at(-1)
  if (newest === undefined || newest.failure === null || newest.at <= after) return null
  const { failure, scheme } = newest
  const isAlike = (check: HostCheck) =>
    check.at > after && check.failure?.stage === failure.stage && check.scheme === scheme
  const start = checks.findLastIndex((check) => !isAlike(check)) + 1
  const run = checks.slice(start)
  return {
    first: run[0] as HostCheck,
    last: newest,
    stage: failure.stage,
    code: failure.code,
    scheme,
    inspection_ids: [run[0] as HostCheck, newest].map(({ inspection_id }) => inspection_id),
  }
}

/** Whether the first and the last failure are far enough apart. */
export const isLongEnough = ({ first, last }: FailingRun): boolean => last.at - first.at >= MIN_RUN_MS

/** The cause of a failed stage; a failed connection may have many causes. */
export const causeOfStage = (stage: FailedStage): IssueCause =>
  (({ name: 'dns', certificate: 'tls', connection: 'unknown' }) as const)[stage]
