/** Pages at which inspections met a challenge behind a success status; pure functions of their results (rules 8.1). */
import { HOUR_MS } from '#clock.ts'
import type { InspectionRow } from '#control/tables.ts'
import type { ChallengeSignal, Visit } from '#inspections/inspection.ts'
import { resultOf } from '#inspections/queue.ts'

/**
 * One inspection of a page as one crawler, with the signals that both visits met behind a success status. Without
 * signals it was not challenged.
 */
export interface ChallengeCheck {
  inspection_id: string
  at: number
  signals: ChallengeSignal[]
}

/** Consecutive inspections that met the same signal, up to the newest inspection of the page. */
export interface ChallengedRun {
  first: ChallengeCheck
  last: ChallengeCheck
  signal: ChallengeSignal
}

export const MIN_CHALLENGED_MS = HOUR_MS

/** Statuses behind which a challenge hides from a log. */
export const CHALLENGED_STATUSES: readonly number[] = [200, 202]

/** Decisive signals behind a 200 or 202 that the vendor documents or ships. */
export function challengeBehindSuccess(visit: Visit | null): ChallengeSignal[] {
  if (visit === null || visit.final_status === null || !CHALLENGED_STATUSES.includes(visit.final_status)) return []
  return visit.challenge.signals.filter(
    ({ role, certainty }) =>
      role === 'decisive' && (certainty === 'vendor_documented' || certainty === 'vendor_source_code'),
  )
}

/** Inspections that were made both as a crawler and as Spoor, in the order in which they ended. */
export function challengeChecks(rows: readonly InspectionRow[]): ChallengeCheck[] {
  return rows
    .flatMap((row): ChallengeCheck[] => {
      const result = resultOf(row)
      if (row.ended_at === null || !result?.as_crawler || !result.as_ourselves) return []
      const ours = new Set(challengeBehindSuccess(result.as_ourselves).map(({ id }) => id))
      const signals = challengeBehindSuccess(result.as_crawler).filter(({ id }) => ours.has(id))
      return [{ inspection_id: row.id, at: row.ended_at, signals }]
    })
    .sort((a, b) => a.at - b.at)
}

/** The first of the newest consecutive inspections that met a challenge, epoch milliseconds; null: none did. */
export function challengeBegan(checks: readonly ChallengeCheck[]): number | null {
  const last = checks.findLastIndex(({ signals }) => signals.length > 0)
  if (last === -1) return null
  const before = checks.slice(0, last).findLastIndex(({ signals }) => signals.length === 0)
  return (checks[before + 1] as ChallengeCheck).at
}

/**
 * The run up to the newest inspection, if it is long enough; else null. @param after only inspections after this
 * instant count.
 */
export function challengedRun(checks: readonly ChallengeCheck[], after = 0): ChallengedRun | null {
  const last = checks.at(-1)
  if (last === undefined) return null
  for (const signal of last.signals) {
    const isAlike = (check: ChallengeCheck) => check.at > after && check.signals.some(({ id }) => id === signal.id)
    const first = checks[checks.findLastIndex((check) => !isAlike(check)) + 1]
    if (first !== undefined && last.at - first.at >= MIN_CHALLENGED_MS) return { first, last, signal }
  }
  return null
}
