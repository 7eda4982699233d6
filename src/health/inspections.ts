/** The state of inspections, and the number of listed issues. */

import { DAY_MS, HOUR_MS } from '#clock.ts'
import type { ControlContext } from '#control/context.ts'
import { isPublicUrl } from '#inspections/marker.ts'
import { countOf, formatCount } from '#quantities.ts'
import type { DiagnosticContext } from './check-health.ts'
import { type Finding, finding } from './findings.ts'

/** Inspections and issues as the metrics show them. */
export interface InspectionCondition {
  /** Due and not begun, those that wait for the budget of their site apart. */
  due: number
  deferred: number
  running: number
  /** Since the inspection that waits longest was due, the budget aside; null: none waits. */
  oldest_due_ms: number | null
  /** Of the last 24 hours: made, and given up because the service failed or they were not made in a day. */
  made: number
  failed: number
  expired: number
  /** Listed issues by state. */
  issues: { open: number; regressed: number; fix_detected: number }
}

/** Longer than a running service needs for what it can afford. */
const WAITING_MS = HOUR_MS

/** The queue of inspections, for metrics. */
export async function readInspections({ control, clock }: ControlContext): Promise<InspectionCondition> {
  const now = clock.now()
  return control.snapshot(async (trx) => {
    const waiting = await trx
      .selectFrom('inspections')
      .select(['state', 'obstacle'])
      .select(({ fn }) => [fn.countAll().as('count'), fn.min('due_at').as('oldest')])
      .where('state', 'in', ['queued', 'running'])
      .where('due_at', '<=', now)
      .groupBy(['state', 'obstacle'])
      .execute()
    const ended = await trx
      .selectFrom('inspections')
      .select(['state', 'obstacle'])
      .select(({ fn }) => fn.countAll().as('count'))
      .where('ended_at', '>', now - DAY_MS)
      .groupBy(['state', 'obstacle'])
      .execute()
    const issues = await trx
      .selectFrom('issues')
      .select('state')
      .select(({ fn }) => fn.countAll().as('count'))
      .where('unit', 'is not', null)
      .groupBy('state')
      .execute()
    const total = (rows: readonly { count: string | number | bigint }[]) =>
      rows.reduce((sum, { count }) => sum + Number(count), 0)
    const queued = waiting.filter(({ state }) => state === 'queued')
    const due = queued.filter(({ obstacle }) => obstacle !== 'budget')
    const inState = (state: string) => total(issues.filter((row) => row.state === state))
    return {
      due: total(due),
      deferred: total(queued.filter(({ obstacle }) => obstacle === 'budget')),
      running: total(waiting.filter(({ state }) => state === 'running')),
      oldest_due_ms: due.length === 0 ? null : now - Math.min(...due.map(({ oldest }) => Number(oldest))),
      made: total(ended.filter(({ state }) => state === 'done')),
      failed: total(ended.filter(({ obstacle }) => obstacle === 'failed')),
      expired: total(ended.filter(({ obstacle }) => obstacle === 'expired')),
      issues: { open: inState('open'), regressed: inState('regressed'), fix_detected: inState('fix_detected') },
    }
  })
}

/** Nothing where nothing was inspected lately and nothing waits. */
export async function checkInspections({ control, clock, public_url }: DiagnosticContext): Promise<Finding[]> {
  const { due, deferred, oldest_due_ms, made, failed, expired, issues } = await readInspections({ control, clock })
  const listed = issues.open + issues.regressed + issues.fix_detected
  if (due + deferred + made + failed + expired + listed === 0) return []
  const found: Finding[] = []
  if (oldest_due_ms !== null && oldest_due_ms > WAITING_MS) {
    const hours = formatCount(Math.floor(oldest_due_ms / HOUR_MS))
    found.push(finding('inspections_waiting', `${formatCount(due)} wait, the oldest for ${hours} h.`))
  }
  if (deferred > 0) found.push(finding('inspections_deferred', `${formatCount(deferred)} wait for the next hour.`))
  if (failed + expired > 0) {
    const counts = `${formatCount(failed)} failed, ${formatCount(expired)} waited for a day`
    found.push(finding('inspections_not_made', `Of the last 24 hours ${counts}.`))
  }
  if (made > 0 && (public_url === null || !isPublicUrl(public_url))) {
    found.push(finding('inspections_unnamed', 'Requests of inspections carry no link that explains their sender.'))
  }
  const well = `${countOf(made, 'inspection')} in 24 hours; ${formatCount(issues.open)} open and ${formatCount(issues.regressed)} regressed issues.`
  return found.length > 0 ? found : [finding('inspections', well)]
}
