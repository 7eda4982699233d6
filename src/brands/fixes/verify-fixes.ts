/** Judges completed fixes by later evidence, each once (account API 2.5). */
import { DAY_MS } from '#clock.ts'
import type { FixEvidenceRef } from '#contract/account-api/index.ts'
import type { FixRow } from '#control/tables.ts'
import { utcDay } from '#days/utc-day.ts'
import { areNamesChanged, readCurrentVersion } from '../answers/mention-version.ts'
import { unfiltered } from '../answers/read-answers.sql.ts'
import type { FoundBrand } from '../find-brand.ts'
import { metricsOf } from '../reports/metrics.ts'
import { type RatioValue, sumOf } from '../reports/ratio.ts'
import { groupsOf, readSums, sumByQuestion } from '../reports/report-rows.ts'
import { readReportedQuestions } from '../reports/reported-questions.ts'
import { compareWindows, type ShareVerdict } from '../reports/verdict.ts'
import type { FixesContext } from './candidate.ts'

const WINDOW_DAYS = 30
/** A fix is judged after this many days if both windows have at least this many answers; else after `WINDOW_DAYS`. */
const EARLY_DAYS = 14
const EARLY_ANSWERS = 20

type Judgement = Pick<FixRow, 'verification'> & { before?: RatioValue; after?: RatioValue; reason?: string | null }

/** Returns how many were judged. */
export async function verifyFixes(ctx: FixesContext, brand: FoundBrand): Promise<number> {
  const waiting = await ctx.control.db
    .selectFrom('fixes')
    .selectAll()
    .where('brand_id', '=', brand.id)
    .where('status', '=', 'completed')
    .where('verification', '=', 'awaiting_evidence')
    .execute()
  let judged = 0
  for (const fix of waiting) {
    const judgement = fix.kind === 'access' ? await judgeAccess(ctx, fix) : await judgeAnswers(ctx, brand, fix)
    if (judgement === null) continue
    judged += await writeJudgement(ctx, fix, judgement)
  }
  return judged
}

/** Does not change a fix that a person reopened or changed meanwhile. */
async function writeJudgement(
  { control, clock }: FixesContext,
  fix: FixRow,
  { verification, before, after, reason = null }: Judgement,
): Promise<number> {
  const now = clock.now()
  const { numUpdatedRows } = await control.db
    .updateTable('fixes')
    .set({
      verification,
      checked_at: now,
      updated_at: now,
      version: fix.version + 1,
      verification_reason: reason,
      ratio_before: before === undefined ? null : JSON.stringify(before),
      ratio_after: after === undefined ? null : JSON.stringify(after),
    })
    .where('id', '=', fix.id)
    .where('version', '=', fix.version)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Judges by the issue whether crawlers are served again. Null: not yet known. */
async function judgeAccess({ control }: FixesContext, fix: FixRow): Promise<Judgement | null> {
  const { completed_at } = fix
  const [, issue_id = ''] = JSON.parse(fix.subject) as string[]
  const issue = await control.db.selectFrom('issues').selectAll().where('id', '=', issue_id).executeTakeFirst()
  if (completed_at === null) return null
  if (issue === undefined) return { verification: 'not_comparable', reason: 'issue_ended' }
  if (issue.fix_confirmed_at !== null && issue.fix_confirmed_at > completed_at) return { verification: 'improved' }
  if (issue.state === 'regressed' && issue.opened_at > completed_at) return { verification: 'worsened' }
  return issue.ended_at === null ? null : { verification: 'not_comparable', reason: 'issue_ended' }
}

/** Compares the 30 days before acceptance with the days after completion. Null: not yet known. */
async function judgeAnswers(ctx: FixesContext, brand: FoundBrand, fix: FixRow): Promise<Judgement | null> {
  const { accepted_at, completed_at } = fix
  if (accepted_at === null || completed_at === null) return null
  const first = utcDay(completed_at + DAY_MS)
  const last = utcDay(Math.min(completed_at + WINDOW_DAYS * DAY_MS, ctx.clock.now() - DAY_MS))
  const is_whole = ctx.clock.now() >= completed_at + (WINDOW_DAYS + 1) * DAY_MS
  if (!is_whole && ctx.clock.now() < completed_at + (EARLY_DAYS + 1) * DAY_MS) return null
  // A fix is judged once, and not by names that answers are still to be searched for.
  if (fix.kind === 'content' && (await areNamesChanged(ctx.control, brand))) return null
  const before = { from: utcDay(accepted_at - WINDOW_DAYS * DAY_MS), to: utcDay(accepted_at - DAY_MS) }
  const [then, since] = [
    await readWindow(ctx, brand, fix, before),
    await readWindow(ctx, brand, fix, { from: first, to: last }),
  ]
  if (!is_whole && Math.min(then.answered, since.answered) < EARLY_ANSWERS) return null
  const metric = fix.kind === 'content' ? 'visibility' : 'citation_rate'
  const { verdicts, reason } = compareWindows(then, since)
  const verification = VERIFICATIONS[verdicts[metric]]
  return {
    verification,
    before: metricsOf(then.questions, true)[metric],
    after: metricsOf(since.questions, true)[metric],
    reason: verification === 'not_comparable' ? reason : null,
  }
}

const VERIFICATIONS: Record<ShareVerdict, FixRow['verification']> = {
  higher: 'improved',
  lower: 'worsened',
  within_noise: 'within_noise',
  not_comparable: 'not_comparable',
}

async function readWindow(ctx: FixesContext, brand: FoundBrand, fix: FixRow, days: { from: string; to: string }) {
  const refs = JSON.parse(fix.evidence_refs) as FixEvidenceRef[]
  const question_ids = refs.flatMap((ref) => ('id' in ref && ref.kind === 'question' ? [ref.id] : []))
  const version = await readCurrentVersion(ctx.control, brand)
  const sums = await readSums(ctx.evidence, { ...unfiltered(brand, version), days, question_ids }, 'window')
  const questions = await readReportedQuestions(ctx.control.db, brand.id)
  const groups = groupsOf(sums, questions)
  return { questions: sumByQuestion(sums, questions), groups, answered: sumOf(groups, ({ answered }) => answered) }
}
