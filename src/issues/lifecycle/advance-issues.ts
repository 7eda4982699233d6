/** Advances the issues of a site by current evidence and inspections (rules 8.2). */
import type { IssueRow } from '#control/tables.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import { addMembers, withPrevious } from '../detection/open-issue-once.ts'
import type { DetectionScope } from '../evidence/detection-scope.ts'
import {
  evidenceOf,
  type FollowedIssue,
  type IssueEvidence,
  mostHarmedFirst,
  timelineUnit,
} from '../evidence/evidence-of-issue.ts'
import { findFindings, followUpAt, type InspectedIssue, inspectIssue } from '../evidence/inspections-of-issues.ts'
import { isSeenFromElsewhere } from '../evidence/later-evidence.ts'
import type { PageOutcome } from '../evidence/page-outcomes.sql.ts'
import type { OutcomesByPage } from '../evidence/read-outcomes.ts'
import { resolveUnclearDays } from '../evidence/resolve-unclear-days.ts'
import { ruleFrom } from '../harms.ts'
import { describeGroup, harmfulDays, SEEN_FROM_ELSEWHERE } from '../texts/describe-group.ts'
import { addEvidence } from '../texts/evidence-refs.ts'
import { harmedSince } from './harmed-since.ts'
import { type Advanced, advance } from './lifecycle.ts'
import { alertDelayed, recordChange } from './record-change.ts'
import { endColumns, lifeOf, writeIssue } from './write-issue.ts'

interface KnownIssue {
  followed: FollowedIssue
  inspected: InspectedIssue
  /** Outcomes of its pages. */
  outcomes: readonly PageOutcome[]
}

/** Advances each of these issues once. If another writer was first, its issue stays as that writer left it. */
export async function advanceIssues(
  ctx: CrawlerContext,
  detection: DetectionScope,
  followed: readonly FollowedIssue[],
  outcomes: OutcomesByPage,
): Promise<void> {
  const inspections = await findFindings(ctx.control.db, followed)
  const known = () =>
    followed.map(
      (one): KnownIssue => ({
        followed: one,
        inspected: inspections.get(one.issue.id) as InspectedIssue,
        outcomes: outcomes.of(one.members),
      }),
    )
  const weigh = (one: KnownIssue) => evidenceOf(detection, one.followed, one.outcomes, one.inspected.newest)
  await resolveUnclearDays(ctx, detection, outcomes, () => known().flatMap((one) => weigh(one).unclear))
  for (const one of known()) await advanceIssue(ctx, detection, one, weigh(one))
}

async function advanceIssue(
  ctx: CrawlerContext,
  detection: DetectionScope,
  known: KnownIssue,
  { evidence, recent_harm_count }: IssueEvidence,
): Promise<void> {
  const { followed, inspected, outcomes } = known
  const { issue } = followed
  const before = lifeOf(issue)
  const advanced = advance(before, evidence, inspected.newest)
  const text = textOf(detection, known, advanced)
  const isSame =
    JSON.stringify(advanced.life) === JSON.stringify(before) &&
    recent_harm_count === issue.recent_harm_count &&
    Object.keys(text.columns).length === 0
  const plan = planInspection(detection, known, advanced, evidence.organic_success_at)
  if (isSame && plan === null) return
  await ctx.control.transaction(async (tx) => {
    const ended = endColumns(advanced.life, detection.as_of)
    if (!(await writeIssue(tx, issue, { ...advanced.life, ...text.columns, recent_harm_count, ...ended }))) return
    await addEvidence(tx, issue.id, text.refs)
    if (text.members.length > 0) await addMembers(tx, issue.id, text.members)
    const inspection_id = inspected.newest?.inspection_id ?? null
    for (const change of advanced.changes)
      await recordChange(tx, detection, issue, { at: detection.as_of, change, inspection_id })
    if (advanced.changes.length === 0) await alertDelayed(tx, detection, issue, detection.as_of)
    if (plan !== null) {
      const members = text.members.length > 0 ? text.members : mostHarmedFirst(detection, followed, outcomes)
      await inspectIssue(tx, { ...issue, recent_harm_count }, members, { ...plan, now: detection.as_of })
    }
  })
}

const WITHDRAWN =
  'Withdrawn: with the current labels and sources its harmful requests no longer meet the rule. Nothing was repaired.'

/**
 * The new texts of an issue: all of them when it regresses, its cause when the baseline has reproduced the harm, the
 * reason when it is withdrawn.
 */
function textOf(
  detection: DetectionScope,
  { followed, inspected: { newest }, outcomes }: KnownIssue,
  { life, changes }: Advanced,
) {
  const { issue } = followed
  const nothing = { columns: {} as Partial<IssueRow>, refs: [], members: [] }
  if (changes.includes('withdrawn')) return { ...nothing, columns: { description: WITHDRAWN } }
  if (changes.includes('regressed')) {
    const after = issue.fix_detected_at ?? issue.opened_at
    const harmed = harmedSince(followed, outcomes, { after, from: ruleFrom(detection.as_of) })
    const { evidence_refs, ...text } = describeGroup(detection, harmed.group, harmed.outcomes)
    const days = harmfulDays(harmed.group)
    const weakest_identity = Math.min(...harmed.group.members.map(({ rank }) => rank))
    const description = withPrevious(text.description, issue.previous_id)
    const columns = { ...text, description, evidence_from: days.from, evidence_to: days.to, weakest_identity }
    return { columns, refs: evidence_refs, members: harmed.group.members }
  }
  const isReproduced = issue.baseline === null && life.baseline === 'yes' && newest !== null
  if (isReproduced) {
    const harmed = harmedSince(followed, outcomes, { after: 0, from: issue.evidence_from })
    const isSaid = harmed.outcomes.length === 0 || newest.cause === null || newest.cause === issue.cause
    const text = isSaid ? null : describeGroup(detection, harmed.group, harmed.outcomes, newest.cause)
    const columns = text === null ? {} : { cause: text.cause, fix_prompt: text.fix_prompt }
    return { columns, refs: [{ kind: 'inspection' as const, id: newest.inspection_id }], members: [] }
  }
  const isElsewhere = isSeenFromElsewhere(timelineUnit(followed), outcomes, life.last_harm_at)
  if (isElsewhere && issue.description?.includes(SEEN_FROM_ELSEWHERE) !== true) {
    return { ...nothing, columns: { description: [issue.description, SEEN_FROM_ELSEWHERE].filter(Boolean).join(' ') } }
  }
  return nothing
}

/**
 * The next inspection of an issue, or null: a baseline and an inspection after organic success at once, others at
 * growing intervals.
 */
export function planInspection(
  detection: DetectionScope,
  { followed: { issue }, inspected: { newest, next_due_at } }: Pick<KnownIssue, 'followed' | 'inspected'>,
  { life, changes }: Advanced,
  success_at: number | null,
): { reason: 'baseline' | 'success' | 'follow_up'; due_at?: number } | null {
  if (changes.includes('regressed')) return { reason: 'baseline' }
  if (life.state !== 'open' && life.state !== 'regressed') return null
  const isDue = next_due_at !== null && next_due_at <= detection.as_of
  if (success_at !== null && !isDue && (newest === null || newest.at < success_at)) return { reason: 'success' }
  if (next_due_at !== null || newest === null) return null
  const due_at = followUpAt({ ...issue, ...life }, newest, detection.as_of)
  return due_at === null ? null : { reason: 'follow_up', due_at }
}
