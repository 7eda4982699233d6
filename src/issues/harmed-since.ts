/**
 * The members of an issue that meet the rule with requests after an instant: what a regression is described by (rules
 * 8.2).
 */
import type { FollowedIssue } from './evidence-of-issue.ts'
import { timelineUnit } from './evidence-of-issue.ts'
import type { HarmedPath, HarmGroup } from './group-units.ts'
import { meetsRule, type StatusHarm } from './harms.ts'
import { isHarmful, memberKey, outcomesOf } from './later-evidence.ts'
import type { PageOutcome } from './page-outcomes.sql.ts'

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
    const bad = own.filter((one) => isHarmful(unit, one))
    const counts = { harmful: total(bad), observed: total(own) }
    if (!meetsRule(counts)) return []
    harmful.push(...bad)
    const days = bad.map(({ day }) => day).sort()
    return [
      {
        ...{ host: issue.host, path: member.path, page_id: member.page_id, crawler_id: member.crawler_id },
        ...{ vantage: issue.vantage, harm, ...counts },
        is_login_asked: bad.every(({ status }) => status === 401) ? 1 : 0,
        rank: Math.min(...bad.map(({ rank }) => rank)),
        first_ms: Math.min(...bad.map(({ first_ms }) => first_ms)),
        last_ms: Math.max(...bad.map(({ last_ms }) => last_ms)),
        first_day: days[0] as string,
        last_day: days.at(-1) as string,
      },
    ]
  })
  harmed.sort((a, b) => b.harmful - a.harmful)
  const { host, path_key, crawler_id, vantage } = issue
  return {
    group: { host, path_key: path_key ?? '/*', crawler_id, vantage, harm, members: harmed },
    outcomes: harmful,
  }
}

const total = (outcomes: readonly PageOutcome[]) => outcomes.reduce((sum, { requests }) => sum + requests, 0)
