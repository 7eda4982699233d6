/** Advances issues whose harm only inspections show, by inspections and by later requests (rules 8.1, 8.2). */
import type { EvidenceRef } from '#contract/site-api/issues.ts'
import type { IssueRow } from '#control/tables.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import { eachDay } from '#days/windows.ts'
import type { DetectionScope } from '../evidence/detection-scope.ts'
import { type FollowedIssue, isQuietDay, timelineUnit } from '../evidence/evidence-of-issue.ts'
import { type InspectedIssue, inspectIssue } from '../evidence/inspections-of-issues.ts'
import { daysAround, memberKey, outcomesOf } from '../evidence/later-evidence.ts'
import { organicSuccess } from '../evidence/organic-success.ts'
import type { PageOutcome } from '../evidence/page-outcomes.sql.ts'
import { type OutcomesByPage, readOutcomes } from '../evidence/read-outcomes.ts'
import { resolveUnclearDays } from '../evidence/resolve-unclear-days.ts'
import { MIN_HARMFUL_REQUESTS, totalRequests } from '../harms.ts'
import { addEvidence } from '../texts/evidence-refs.ts'
import { planInspection } from './advance-issues.ts'
import { advance, type InspectionFinding } from './lifecycle.ts'
import { alertDelayed, recordChange } from './record-change.ts'
import { endColumns, lifeOf, writeIssue } from './write-issue.ts'

/** The current results of inspections for one issue. */
export interface InspectedHarm {
  /** When an inspection last met the harm, epoch milliseconds; null: never. */
  last_harm_at: number | null
  finding: InspectionFinding | null
  /** The number of harmful requests on the days of the rule. */
  recent_harm_count: number
  /** The new texts and evidence of an issue whose harm is back after its detected fix; null: it is not back. */
  anew: {
    columns: Partial<Pick<IssueRow, 'title' | 'evidence_from' | 'evidence_to' | 'weakest_identity'>>
    refs: EvidenceRef[]
    inspection_id: string | null
  } | null
}

/** Outcomes of the pages of these issues, since the first day of their evidence. There must be at least one issue. */
export function readFollowedOutcomes(
  ctx: CrawlerContext,
  detection: DetectionScope,
  followed: readonly FollowedIssue[],
): Promise<OutcomesByPage> {
  const pages = followed.flatMap(({ members }) => members.map(({ page_id }) => page_id))
  const from = followed.map(({ issue }) => issue.evidence_from).sort()[0] as string
  return readOutcomes(ctx, detection, pages, from)
}

/** Advances an issue whose harm only inspections show, and plans its next inspection. */
export async function advanceInspected(
  ctx: CrawlerContext,
  detection: DetectionScope,
  followed: FollowedIssue,
  { harm, planned, outcomes }: { harm: InspectedHarm; planned: InspectedIssue; outcomes: OutcomesByPage },
): Promise<void> {
  const { issue, members } = followed
  const unit = timelineUnit(followed)
  const since = Math.max(issue.last_harm_at, harm.last_harm_at ?? issue.last_harm_at)
  const after = Math.max(since, issue.fix_detected_at ?? since)
  const read = () => outcomesOf(unit, outcomes.of(members))
  await resolveUnclearDays(ctx, detection, outcomes, () => {
    const found = organicSuccess(unit, read(), after)
    return [...daysAround(read(), after), ...(found.state === 'unclear' ? found.days : [])]
  })
  const success = organicSuccess(unit, read(), after)
  const evidence = {
    now: detection.as_of,
    last_harm_at: harm.last_harm_at,
    is_harmed_after_fix: issue.fix_detected_at !== null && harm.anew !== null,
    // While inspections meet the harm, a success in a log proves nothing.
    organic_success_at: success.state === 'shown' && harm.finding?.outcome !== 'harmed' ? success.at : null,
    is_quiet_day: isQuietDay(detection, issue, since),
    is_refuted: isRefuted(detection, followed, outcomes.of(members)),
  }
  const before = lifeOf(issue)
  const { life, changes } = advance(before, evidence, harm.finding)
  const anew = changes.includes('regressed') ? harm.anew : null
  const { recent_harm_count } = harm
  const isSame = JSON.stringify(life) === JSON.stringify(before) && recent_harm_count === issue.recent_harm_count
  const known = { followed, inspected: planned }
  const plan = planInspection(detection, known, { life, changes }, evidence.organic_success_at)
  if (isSame && plan === null) return
  await ctx.control.transaction(async (tx) => {
    const columns = {
      ...life,
      ...(anew === null ? {} : { ...anew.columns, baseline: 'yes' as const }),
      ...endColumns(life, detection.as_of),
      recent_harm_count,
    }
    if (!isSame && !(await writeIssue(tx, issue, columns))) return
    await addEvidence(tx, issue.id, anew?.refs ?? [])
    const inspection_id = anew?.inspection_id ?? null
    for (const change of changes)
      await recordChange(tx, detection, issue, { at: detection.as_of, change, inspection_id })
    if (changes.length === 0) await alertDelayed(tx, detection, issue, detection.as_of)
    if (plan !== null) await inspectIssue(tx, issue, members, { ...plan, now: detection.as_of })
  })
}

/** Whether too few requests of its evidence still count. Days that are not derived are unknown. */
function isRefuted(
  detection: DetectionScope,
  { issue, members }: FollowedIssue,
  outcomes: readonly PageOutcome[],
): boolean {
  const days = eachDay({ from: issue.evidence_from, to: issue.evidence_to })
  if (!days.every((day) => detection.known_days.has(day))) return false
  const own = new Set(members.map(memberKey))
  const served = outcomes.filter(
    (one) =>
      own.has(memberKey(one)) &&
      one.vantage === issue.vantage &&
      one.day >= issue.evidence_from &&
      one.day <= issue.evidence_to &&
      one.status >= 200 &&
      one.status <= 299,
  )
  return totalRequests(served) < MIN_HARMFUL_REQUESTS
}
