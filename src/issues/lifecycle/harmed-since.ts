/** Describes a regression: the members of an issue that meet the rule after an instant (rules 8.2). */

import type { HarmedPath, HarmGroup } from '../detection/group-units.ts'
import { harmedUnit } from '../detection/harmed-unit.ts'
import type { FollowedIssue } from '../evidence/evidence-of-issue.ts'
import { timelineUnit } from '../evidence/evidence-of-issue.ts'
import { isHarmful, memberKey, outcomesOf } from '../evidence/later-evidence.ts'
import type { PageOutcome } from '../evidence/page-outcomes.sql.ts'
import type { StatusHarm } from '../harms.ts'

/** The members of an issue that met the rule of its harm after an instant, with their harmful outcomes. */
export function harmedSince(
  followed: FollowedIssue,
  outcomes: readonly PageOutcome[],
  { after, from }: { after: number; from: string },
): { group: HarmGroup; outcomes: PageOutcome[] } {
  const { issue, members } = followed
  const unit = timelineUnit(followed)
  const harm = issue.harm as StatusHarm
  const later = outcomesOf(unit, outcomes).filter(({ first_ms, day }) => first_ms > after && day >= from)
  const byMember = Map.groupBy(later, memberKey)
  const harmful: PageOutcome[] = []
  const harmed = members.flatMap((member): HarmedPath[] => {
    const own = byMember.get(memberKey(member)) ?? []
    const met = harmedUnit(own, harm)
    if (met === null) return []
    harmful.push(...own.filter((one) => isHarmful(unit, one)))
    const { page_id, crawler_id, path } = member
    return [{ host: issue.host, path, page_id, crawler_id, vantage: issue.vantage, ...met }]
  })
  harmed.sort((a, b) => b.harmful - a.harmful)
  const { host, path_key, crawler_id, vantage } = issue
  return {
    group: { host, path_key: path_key ?? '/*', crawler_id, vantage, harm, members: harmed },
    outcomes: harmful,
  }
}
