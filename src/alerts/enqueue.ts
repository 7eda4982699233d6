/** Writes changes of issues into the outbox, in the transaction of the changes themselves (rules 8.2, 8.6). */

import type { AlertEventType } from '#contract/vocabulary.ts'
import type { ControlTransaction } from '#control/store.ts'
import { utcDay } from '#days/utc-day.ts'
import { excerpt, withoutInvisible } from '#foreign-text.ts'
import { type AlertedIssue, type IssueChange, isAlertedAlone, isEnoughToAlert } from './issue-change.ts'
import { type AlertedSite, recordAlert } from './outbox.ts'

export interface EnqueueOptions {
  /** The service clock, epoch milliseconds. */
  now: number
  /** Under `--clock` no alerts are recorded (rules 4). */
  is_clock_simulated: boolean
}

/**
 * Records alerts for changes, in order; returns their number. Call it in the transaction of the changes, with every
 * change: it leaves out those without an alert.
 * - An issue has one alert as opened. If its evidence was too weak, call it with `opened` again when there is more.
 * - Other kinds have at most one alert for each issue and UTC day, and only after an alert as opened or regressed.
 */
export async function enqueueAlerts(
  trx: ControlTransaction,
  site: AlertedSite,
  changes: readonly IssueChange[],
  { now, is_clock_simulated }: EnqueueOptions,
): Promise<number> {
  if (is_clock_simulated) return 0
  let recorded = 0
  for (const change of changes) {
    if (!(await isAlertedOf(trx, site, change))) continue
    const type: AlertEventType = `issue.${change.kind}`
    await noteAlerted(trx, site, change, type)
    await recordAlert(
      trx,
      {
        site,
        type,
        subject_id: change.issue.id,
        occurred_at: change.changed_at,
        is_sent_alone: isAlertedAlone(change) ? 1 : 0,
        data: { issue: issueOf(change.issue) },
      },
      now,
    )
    recorded++
  }
  return recorded
}

const FIRST_KINDS: ReadonlySet<string> = new Set(['issue.opened', 'issue.regressed'])

async function isAlertedOf(trx: ControlTransaction, site: AlertedSite, change: IssueChange): Promise<boolean> {
  const earlier = await trx
    .selectFrom('alerted_issues')
    .select(['type', 'last_day'])
    .where((is) => is.and({ site_id: site.id, issue_id: change.issue.id }))
    .execute()
  const same = earlier.find(({ type }) => type === `issue.${change.kind}`)
  if (change.kind === 'opened') return same === undefined && isEnoughToAlert(change)
  if (same !== undefined && same.last_day >= utcDay(change.changed_at)) return false
  if (change.kind === 'regressed') return isEnoughToAlert(change)
  return earlier.some(({ type }) => FIRST_KINDS.has(type))
}

async function noteAlerted(
  trx: ControlTransaction,
  site: AlertedSite,
  { issue, changed_at }: IssueChange,
  type: AlertEventType,
): Promise<void> {
  const last_day = utcDay(changed_at)
  await trx
    .insertInto('alerted_issues')
    .values({ site_id: site.id, issue_id: issue.id, type, last_day })
    .onConflict((conflict) => conflict.columns(['site_id', 'issue_id', 'type']).doUpdateSet({ last_day }))
    .execute()
}

/**
 * Copies the members that alerts may contain; text of strangers is cut and cleaned (rules 7).
 */
function issueOf(issue: AlertedIssue): AlertedIssue {
  const { id, title, state, cause, confidence, description, path, crawler_id } = issue
  const { detected_at, fix_confirmed_at, evidence_refs, host, harm } = issue
  return {
    id,
    title: shownSentence(title),
    state,
    cause,
    confidence,
    ...(description === undefined ? {} : { description: shownSentence(description) }),
    path: path === null ? null : shown(path),
    crawler_id,
    detected_at,
    fix_confirmed_at,
    evidence_refs: evidence_refs.map((ref) =>
      ref.kind === 'inspection' ? ref : { ...ref, path_key: shown(ref.path_key) },
    ),
    ...(host === undefined ? {} : { host: shown(host) }),
    ...(harm === undefined ? {} : { harm }),
  }
}

const shown = (text: string) => excerpt(withoutInvisible(text))
const MAX_SENTENCE_CHARACTERS = 1_000
/** A sentence of Spoor with an excerpt that is already cut. */
const shownSentence = (text: string) => excerpt(withoutInvisible(text), MAX_SENTENCE_CHARACTERS)
