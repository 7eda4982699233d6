/** Verification: the owner requests an inspection of an issue now (rules 8.2). */
import { setTimeout as pause } from 'node:timers/promises'
import { instantOrNull, MINUTE_MS } from '#clock.ts'
import type { IssueVerification, VerifyIssueInput } from '#contract/site-api/index.ts'
import type { Harm } from '#contract/vocabulary.ts'
import type { ControlDb } from '#control/store.ts'
import type { InspectionRow, IssueRow } from '#control/tables.ts'
import type { SiteContext } from '#crawlers/context.ts'
import { nextBegin } from '#inspections/budgets.ts'
import { Refusal } from '#refusal.ts'
import { detectIssues } from './detect-issues.ts'
import { openDetection } from './evidence/detection-scope.ts'
import { mostHarmedFirst } from './evidence/evidence-of-issue.ts'
import { inspectIssue, MAX_INSPECTED_MEMBERS } from './evidence/inspections-of-issues.ts'
import { readOutcomes } from './evidence/read-outcomes.ts'
import { findIssue } from './find-issue.ts'
import { readFollowed } from './followed-issues.ts'
import { ruleFrom } from './harms.ts'
import { isListed } from './lifecycle/lifecycle.ts'
import { describeIssues, listedIssue } from './read-issues.ts'

export interface Verification {
  /** Called after an inspection is queued, so that it is made soon. */
  inspectSoon(): void
  /** How long an answer waits for the inspection, in milliseconds. */
  wait_ms: number
}

export interface VerifyContext extends SiteContext {
  verification: Verification
}

/** The longest time that an answer waits for its inspection (rules 8.2). */
export const MAX_VERIFY_WAIT_MS = 30_000
/** At most one inspection of an issue begins in this time. */
const BETWEEN_MS = MINUTE_MS
const CHECK_EVERY_MS = 100

/** Inspects the pages of an issue now, and answers with the issue and the result of the inspections (rules 8.3). */
export async function verifyFix(ctx: VerifyContext, { issue }: VerifyIssueInput): Promise<IssueVerification> {
  const { rows, is_new } = await queueVerification(ctx, issue)
  if (is_new) ctx.verification.inspectSoon()
  const ended = await waitFor(ctx, rows)
  const isOver = ended.every(({ state }) => state === 'done' || state === 'not_made')
  if (isOver && is_new) await detectIssues(ctx, ctx.site.id)
  const [described] = await describeIssues(ctx.control.db, [await findListed(ctx.control.db, ctx.site.id, issue)])
  if (described === undefined) throw new Error(`issue ${issue} was not described`)
  const isPutOff = ended.some(({ state, obstacle }) => state === 'queued' && obstacle === 'budget')
  const verification = isPutOff ? await postponed(ctx) : verificationOf(ended, { is_new, isOver })
  return { ...listedIssue(described), verification }
}

/** The issue, if it has not ended. @throws Refusal not_found. */
async function findListed(db: ControlDb, site_id: string, id: string): Promise<IssueRow> {
  const issue = await findIssue(db, site_id, id)
  if (!isListed(issue.state)) throw new Refusal('not_found', `The issue ${issue.id} has ended: it is ${issue.state}.`)
  return issue
}

/** The round of inspections that the answer reports: a new one, or one of the last minute. */
async function queueVerification(ctx: VerifyContext, id: string): Promise<{ rows: InspectionRow[]; is_new: boolean }> {
  const pages = await pagesOf(ctx, await findListed(ctx.control.db, ctx.site.id, id))
  return ctx.control.transaction(async (tx) => {
    const issue = await findListed(tx, ctx.site.id, id)
    const now = ctx.clock.now()
    const recent = await tx
      .selectFrom('inspections')
      .selectAll()
      .where((is) => is.and({ issue_id: issue.id, reason: 'verify' }))
      .where('queued_at', '>', now - BETWEEN_MS)
      .orderBy('queued_at', 'desc')
      .execute()
    const [newest] = recent
    if (newest !== undefined) {
      return { rows: recent.filter(({ round_id }) => round_id === newest.round_id), is_new: false }
    }
    return { rows: await inspectIssue(tx, issue, pages, { reason: 'verify', now }), is_new: true }
  })
}

/**
 * The pages of an issue, as every other inspection takes them: those with the most harm on the days of the rule first.
 */
async function pagesOf(ctx: VerifyContext, issue: IssueRow): Promise<{ path: string; crawler_id: string | null }[]> {
  const { site_id, path_key, crawler_id } = issue
  const listed = await readFollowed(ctx.control.db, site_id, [issue.harm as Harm])
  const followed = listed.find((one) => one.issue.id === issue.id)
  if (followed === undefined || followed.members.length === 0) return [{ path: path_key ?? '/', crawler_id }]
  const { members } = followed
  const detection = members.length > MAX_INSPECTED_MEMBERS ? await openDetection(ctx, site_id, null) : null
  if (detection === null) return [...members]
  const pages = members.map(({ page_id }) => page_id)
  const outcomes = await readOutcomes(ctx, detection, pages, ruleFrom(detection.as_of))
  return mostHarmedFirst(detection, followed, outcomes.of(members))
}

/** The rows after all inspections have ended, or after the longest wait. */
async function waitFor({ control, clock, verification }: VerifyContext, rows: readonly InspectionRow[]) {
  const until = clock.elapsed() + verification.wait_ms
  const ids = rows.map(({ id }) => id)
  for (;;) {
    const now = await control.db.selectFrom('inspections').selectAll().where('id', 'in', ids).orderBy('id').execute()
    const waits = now.some(
      ({ state, obstacle }) => state === 'running' || (state === 'queued' && obstacle !== 'budget'),
    )
    if (!waits || clock.elapsed() >= until) return now
    await pause(CHECK_EVERY_MS)
  }
}

/** The answer when the site has used up the inspections of the hour. */
async function postponed({ control, clock, site }: VerifyContext): Promise<IssueVerification['verification']> {
  const next_at = await nextBegin(control.db, { site_id: site.id, reason: 'verify' }, clock.now())
  return { state: 'deferred', inspection_id: null, next_at: instantOrNull(next_at) }
}

function verificationOf(
  rows: readonly InspectionRow[],
  { is_new, isOver }: { is_new: boolean; isOver: boolean },
): IssueVerification['verification'] {
  const made = rows.find(({ state }) => state === 'done')
  const inspection_id = (made ?? rows[0])?.id ?? null
  const next_at = Math.max(...rows.map(({ queued_at }) => queued_at + BETWEEN_MS))
  if (made !== undefined && isOver && is_new) return { state: 'done', inspection_id, next_at: null }
  if (isOver && made === undefined) return { state: 'deferred', inspection_id: null, next_at: null }
  if (isOver) return { state: 'deferred', inspection_id, next_at: instantOrNull(next_at) }
  return { state: 'queued', inspection_id, next_at: null }
}
