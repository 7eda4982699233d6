/**
 * Pages at which inspections met a challenge behind a success, as a pure reading of their results (rules 8.1,
 * challenged).
 */
import { HOUR_MS } from '#clock.ts'
import type { InspectionRow } from '#control/tables.ts'
import type { ChallengeSignal, Visit } from '#inspections/inspection.ts'
import { resultOf } from '#inspections/queue.ts'

/**
 * One inspection of a page by one crawler: the signals that both visits met behind a success; none: it was not
 * challenged.
 */
export interface ChallengeLook {
  inspection_id: string
  at: number
  signals: ChallengeSignal[]
}

/** Inspections that met the same signal one after the other, the newest of the page among them. */
export interface ChallengedRun {
  first: ChallengeLook
  last: ChallengeLook
  signal: ChallengeSignal
}

export const MIN_CHALLENGED_MS = HOUR_MS

/** Statuses behind which a challenge hides from a log. */
export const CHALLENGED_STATUSES: readonly number[] = [200, 202]

/** Signals that decide, and that their vendor documents or ships, behind a 200 or 202. */
export function challengeBehindSuccess(visit: Visit | null): ChallengeSignal[] {
  if (visit === null || visit.final_status === null || !CHALLENGED_STATUSES.includes(visit.final_status)) return []
  return visit.challenge.signals.filter(
    ({ role, certainty }) =>
      role === 'decisive' && (certainty === 'vendor_documented' || certainty === 'vendor_source_code'),
  )
}

/** The looks of inspections that were made as a crawler and as ourselves, in the order of their ends. */
export function challengeLooks(rows: readonly InspectionRow[]): ChallengeLook[] {
  return rows
    .flatMap((row): ChallengeLook[] => {
      const result = resultOf(row)
      if (row.ended_at === null || !result?.as_crawler || !result.as_ourselves) return []
      const ours = new Set(challengeBehindSuccess(result.as_ourselves).map(({ id }) => id))
      const signals = challengeBehindSuccess(result.as_crawler).filter(({ id }) => ours.has(id))
      return [{ inspection_id: row.id, at: row.ended_at, signals }]
    })
    .sort((a, b) => a.at - b.at)
}

/**
 * The run that the newest look ends, if it lasted long enough; null otherwise. @param after only looks after this
 * instant.
 */
export function challengedRun(looks: readonly ChallengeLook[], after = 0): ChallengedRun | null {
  const last = looks.at(-1)
  if (last === undefined) return null
  for (const signal of last.signals) {
    const isAlike = (look: ChallengeLook) => look.at > after && look.signals.some(({ id }) => id === signal.id)
    const first = looks[looks.findLastIndex((look) => !isAlike(look)) + 1]
    if (first !== undefined && last.at - first.at >= MIN_CHALLENGED_MS) return { first, last, signal }
  }
  return null
}
