/** Turns the outcomes of an issue's pages into the evidence that advances it (rules 8.1, 8.2). */
import { DAY_MS, HOUR_MS } from '#clock.ts'
import type { Harm } from '#contract/vocabulary.ts'
import type { IssueMemberRow, IssueRow } from '#control/tables.ts'
import { eachDay } from '#days/windows.ts'
import { MIN_HARMFUL_REQUESTS, ruleFrom, totalRequests } from '../harms.ts'
import type { LifeEvidence } from '../lifecycle/lifecycle.ts'
import { completeCoverage } from './counted-coverage.ts'
import type { DetectionScope } from './detection-scope.ts'
import type { IssueFinding } from './inspections-of-issues.ts'
import {
  daysAround,
  isHarmedAfter,
  isHarmful,
  lastHarmOf,
  memberKey,
  outcomesOf,
  type TimelineUnit,
  type UnclearDay,
} from './later-evidence.ts'
import { organicSuccess } from './organic-success.ts'
import type { PageOutcome } from './page-outcomes.sql.ts'

export interface FollowedIssue {
  issue: IssueRow
  members: readonly IssueMemberRow[]
}

export interface IssueEvidence {
  evidence: LifeEvidence
  /** Days whose single instants must be read before the evidence is certain. */
  unclear: UnclearDay[]
  /** The number of harmful requests on the days of the rule. */
  recent_harm_count: number
}

/** The pages and requests whose later evidence concerns the issue. */
export const timelineUnit = ({ issue, members }: FollowedIssue): TimelineUnit => ({
  harm: issue.harm as Harm,
  members,
  vantage: issue.vantage,
  weakest_identity: issue.weakest_identity,
})

/** The members of an issue by their harmful requests on the days of the rule, most first. */
export function mostHarmedFirst(
  detection: Pick<DetectionScope, 'as_of'>,
  followed: FollowedIssue,
  outcomes: readonly PageOutcome[],
): IssueMemberRow[] {
  const unit = timelineUnit(followed)
  const from = ruleFrom(detection.as_of)
  const recent = outcomesOf(unit, outcomes).filter((one) => isHarmful(unit, one) && one.day >= from)
  const byMember = Map.groupBy(recent, memberKey)
  const members = followed.members.map((member) => ({
    member,
    harm: totalRequests(byMember.get(memberKey(member)) ?? []),
  }))
  return members.sort((a, b) => b.harm - a.harm).map(({ member }) => member)
}

/** @param outcomes those of the issue's pages, of every crawler, vantage and identity. */
export function evidenceOf(
  detection: DetectionScope,
  followed: FollowedIssue,
  outcomes: readonly PageOutcome[],
  newest: IssueFinding | null,
): IssueEvidence {
  const { issue } = followed
  const unit = timelineUnit(followed)
  const own = outcomesOf(unit, outcomes)
  const harmful = own.filter((one) => isHarmful(unit, one))
  const last_harm_at = lastHarmOf(unit, own)
  const since = Math.max(issue.last_harm_at, last_harm_at ?? issue.last_harm_at)
  const after = Math.max(since, issue.fix_detected_at ?? since)
  const success = organicSuccess(unit, own, after)
  const isHidden = newest?.is_challenged_success === true
  const from = ruleFrom(detection.as_of)
  const fixed_at = issue.fix_detected_at
  const fixUnclear = fixed_at === null ? [] : daysAround(own, fixed_at)
  const isSettled = issue.fix_confirmed_at !== null
  return {
    evidence: {
      now: detection.as_of,
      last_harm_at,
      is_harmed_after_fix: fixed_at !== null && isHarmedAfter(unit, own, { after: fixed_at, from }),
      organic_success_at: success.state === 'shown' && !isHidden ? success.at : null,
      is_quiet_day: isQuietDay(detection, issue, since),
      is_refuted: isRefuted(detection, followed, outcomes),
    },
    unclear: [...fixUnclear, ...(!isSettled && success.state === 'unclear' ? success.days : [])],
    recent_harm_count: totalRequests(harmful.filter(({ day }) => day >= from)),
  }
}

/**
 * Whether counting sources of the issue's vantage covered a whole day after its newest harm. Harm that is known only to
 * the hour has the instant of the beginning of that hour, and may have happened until its end.
 */
export function isQuietDay(
  detection: DetectionScope,
  unit: Pick<IssueRow, 'host' | 'vantage'>,
  last_harm_at: number,
): boolean {
  const since = last_harm_at % HOUR_MS === 0 ? last_harm_at + HOUR_MS : last_harm_at
  return completeCoverage(detection, unit).some(
    ({ from, to }) => Math.min(to, detection.as_of) - Math.max(from, since) >= DAY_MS,
  )
}

/**
 * Whether the harmful requests of its evidence no longer meet the rule, because sources or labels have changed. New
 * requests on those days do not refute the issue.
 */
function isRefuted(
  detection: DetectionScope,
  { issue, members }: FollowedIssue,
  outcomes: readonly PageOutcome[],
): boolean {
  const days = eachDay({ from: issue.evidence_from, to: issue.evidence_to })
  // Days that retention has deleted, or that are not derived, are unknown.
  if (members.length === 0 || !days.every((day) => detection.known_days.has(day))) return false
  const harmful = new Map<string, number>()
  for (const one of outcomes) {
    if (one.harm !== issue.harm || one.vantage !== issue.vantage) continue
    if (one.day < issue.evidence_from || one.day > issue.evidence_to) continue
    const known = harmful.get(memberKey(one))
    harmful.set(memberKey(one), known === undefined ? one.requests : known + one.requests)
  }
  return !members.some((member) => {
    const now = harmful.get(memberKey(member))
    if (now === undefined || now < MIN_HARMFUL_REQUESTS) return false
    return now >= member.harmful || now * 2 >= member.observed
  })
}
