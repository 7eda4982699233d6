/** Records each change of an issue, and its alert, in the transaction of the change (rules 8.2, 8.6). */
import { randomUUID } from 'node:crypto'
import { enqueueAlerts } from '#alerts/enqueue.ts'
import type { IssueChange } from '#alerts/issue-change.ts'
import { ISSUE_CHANGES, type IssueChangeKind, type LifeChange } from '#contract/vocabulary.ts'
import type { ControlTransaction } from '#control/store.ts'
import type { IssueRow } from '#control/tables.ts'
import { utcDay } from '#days/utc-day.ts'
import { describeIssues } from '../read-issues.ts'

/** Under a simulated clock no alerts are sent. */
interface Alerting {
  is_clock_simulated: boolean
}

export interface RecordedChange {
  /** Epoch milliseconds. */
  at: number
  change: LifeChange
  inspection_id: string | null
}

/** Records one change of state. Call it after the changed issue and its evidence are written. */
export async function recordChange(
  tx: ControlTransaction,
  alerting: Alerting,
  issue: Pick<IssueRow, 'id' | 'site_id'>,
  { at, change, inspection_id }: RecordedChange,
): Promise<void> {
  await tx
    .insertInto('issue_changes')
    .values({ id: randomUUID(), issue_id: issue.id, site_id: issue.site_id, at, change, inspection_id })
    .execute()
  if (isAlertedOf(change)) await enqueueIssueAlert(tx, alerting, issue, { kind: change, changed_at: at, now: at })
}

/**
 * Sends the alert of an open issue whose evidence was too weak for one when it opened or regressed (rules 8.1,
 * Identity).
 */
export async function alertDelayed(
  tx: ControlTransaction,
  alerting: Alerting,
  issue: Pick<IssueRow, 'id' | 'site_id' | 'state' | 'opened_at'>,
  now: number,
): Promise<void> {
  if (issue.state !== 'open' && issue.state !== 'regressed') return
  const kind = issue.state === 'open' ? 'opened' : 'regressed'
  await enqueueIssueAlert(tx, alerting, issue, { kind, changed_at: issue.opened_at, now })
}

const isAlertedOf = (change: LifeChange): change is IssueChangeKind =>
  (ISSUE_CHANGES as readonly LifeChange[]).includes(change)

async function enqueueIssueAlert(
  tx: ControlTransaction,
  { is_clock_simulated }: Alerting,
  { id, site_id }: Pick<IssueRow, 'id' | 'site_id'>,
  { kind, changed_at, now }: Pick<IssueChange, 'kind' | 'changed_at'> & { now: number },
): Promise<void> {
  const site = await tx.selectFrom('sites').select(['id', 'root_domain']).where('id', '=', site_id).executeTakeFirst()
  const row: IssueRow | undefined = await tx.selectFrom('issues').selectAll().where('id', '=', id).executeTakeFirst()
  if (site === undefined || row === undefined) throw new Error(`issue ${id} changed and is not there`)
  const [described] = await describeIssues(tx, [row])
  if (described === undefined) throw new Error(`issue ${id} was not described`)
  const { state } = described
  if (state === 'lapsed' || state === 'closed') return
  const change = { kind, changed_at, harm: row.harm, issue: { ...described, state } }
  const options = { now, is_clock_simulated }
  await enqueueAlerts(tx, site, [{ ...change, unverified_harm: unverifiedHarm(row) }], options)
}

/** Harm that Spoor observes itself, whatever agents claim to be. */
const OBSERVED_BY_SPOOR = ['unreachable', 'robots']

/** The unverified harm of an issue, by which alerts are held back; null if some harmful request was verified. */
function unverifiedHarm(row: IssueRow): IssueChange['unverified_harm'] {
  if (OBSERVED_BY_SPOOR.includes(row.harm) || row.weakest_identity > 1 || row.confidence !== 'low') return null
  const has_more_days = utcDay(row.last_harm_at) !== row.evidence_from
  return { request_count: row.recent_harm_count, day_count: has_more_days ? 2 : 1 }
}
