/** The state of the jobs, from their rows in the control store. */

import { instantText, MINUTE_MS } from '#clock.ts'
import type { ControlContext } from '#control/context.ts'
import type { JobRow } from '#control/tables.ts'
import { quoted, withoutInvisible } from '#foreign-text.ts'
import type { ServiceState } from './check-health.ts'
import { type Finding, finding } from './findings.ts'

/** Fewer failures in a row than this are what retries are for. */
const FAILURES = 3
const OVERDUE_MS = 15 * MINUTE_MS
const GRACE_MS = MINUTE_MS

/** A job as the metrics show it. */
export interface JobCondition {
  name: string
  /** Runs in a row that failed. */
  failures: number
  is_running: boolean
  /** Since it last succeeded, on any process; null: never. */
  success_age_ms: number | null
}

/** The state of each job, for metrics. */
export async function readJobs(source: ControlContext): Promise<JobCondition[]> {
  const now = source.clock.shared()
  return (await rowsOf(source)).map((row) => ({
    name: row.name,
    failures: row.attempts,
    is_running: row.lease_until !== null && row.lease_until > now,
    success_age_ms: row.last_succeeded_at === null ? null : now - row.last_succeeded_at,
  }))
}

/** Without a service nothing runs, so only earlier failures can be reported. */
export async function checkJobs({
  service,
  ...source
}: ControlContext & { service: ServiceState | null }): Promise<Finding[]> {
  const rows = await rowsOf(source)
  const failing = rows.filter((row) => row.attempts >= FAILURES).map(describeFailure)
  const findings = failing.length === 0 ? [] : [finding('job_failing', `Failing: ${failing.join(', ')}.`)]
  if (service === null) return findings
  const now = source.clock.shared()
  const stuck = rows
    .filter((row) => isStuck(row, now))
    .map((row) => `${row.name} (begun ${instant(row.last_started_at)})`)
  if (stuck.length > 0) findings.push(finding('job_stuck', `Runs that have not ended: ${stuck.join(', ')}.`))
  const mine = rows.filter((row) => service.leased_jobs.includes(row.name))
  const overdue = mine.filter((row) => isOverdue(row, now)).map((row) => `${row.name} (since ${instant(row.next_at)})`)
  if (overdue.length > 0) findings.push(finding('job_overdue', `Overdue: ${overdue.join(', ')}.`))
  return findings.length > 0 ? findings : [finding('jobs', describeHealthy(rows))]
}

const rowsOf = ({ control }: ControlContext) => control.db.selectFrom('jobs').selectAll().orderBy('name').execute()

/** What failed once or twice is not trouble yet, but it has not succeeded either. */
function describeHealthy(rows: readonly JobRow[]): string {
  const retried = rows.filter((row) => row.attempts > 0)
  if (retried.length === 0) return 'The last round of every job succeeded.'
  return `Every job succeeds, except those that are about to be tried again: ${retried.map(describeFailure).join(', ')}.`
}

const describeFailure = ({ name, attempts, last_error }: JobRow) =>
  `${name} (${attempts === 1 ? 'once' : `${attempts} times in a row`}; last: ${quoted(withoutInvisible(last_error ?? '', ' '))})`

const instant = (at: number | null) => (at === null ? 'at no known time' : instantText(at))

/** Its lease ran out and no process has taken it over, or it outlasts its limit and does not end. */
function isStuck({ lease_until, last_started_at, limit_ms }: JobRow, now: number): boolean {
  if (lease_until === null) return false
  const too_long = last_started_at !== null && last_started_at + limit_ms + GRACE_MS < now
  return too_long || lease_until + GRACE_MS < now
}

const isOverdue = ({ lease_until, next_at }: JobRow, now: number) => lease_until === null && next_at + OVERDUE_MS < now
