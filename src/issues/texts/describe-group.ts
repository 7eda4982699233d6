/** The texts of an issue at detection: title, cause, confidence, evidence, fix prompt, description (rules 8.1). */

import type { EvidenceRef } from '#contract/site-api/issues.ts'
import type { HarmGroup, OpeningGroup } from '../detection/group-units.ts'
import { isSampled } from '../evidence/counted-coverage.ts'
import type { DetectionScope } from '../evidence/detection-scope.ts'
import type { PageOutcome } from '../evidence/page-outcomes.sql.ts'
import { totalRequests } from '../harms.ts'
import { type Confidence, confidenceOf } from './confidence.ts'
import { refsByStatus } from './evidence-refs.ts'
import { fixPromptOf } from './fix-prompt.ts'
import { causeOfStatuses, type IssueCause } from './status-causes.ts'
import { titleOf } from './title.ts'

export interface IssueText {
  title: string
  cause: IssueCause
  confidence: Confidence
  description: string | null
  fix_prompt: string | null
  evidence_refs: EvidenceRef[]
}

/**
 * Describes what was observed of a group.
 * @param harmful the harmful outcomes of its members, at least one.
 * @param inspected_cause the cause that an inspection found.
 */
export function describeGroup(
  detection: DetectionScope,
  group: HarmGroup,
  harmful: readonly PageOutcome[],
  inspected_cause: IssueCause | null = null,
): IssueText {
  const { host, path_key, harm, members, vantage } = group
  const { from, to } = harmfulDays(group)
  const days = [...new Set(harmful.map(({ day }) => day))]
  const crawlers = [...new Set(members.map(({ crawler_id }) => crawler_id))].sort()
  const names = crawlers.map((id) => detection.registry.entry(id)?.display_name ?? id)
  const statuses = [...new Set(harmful.map(({ status }) => status))].sort((a, b) => a - b)
  const verified = harmful.filter(({ rank }) => rank > 1)
  const counted = totalRequests(harmful)
  const are_verified = verified.length === harmful.length
  const refusals = harmful.map(({ status, by_edge }) => ({ status, by_edge: by_edge === 1 }))
  const cause = inspected_cause ?? causeOfStatuses(refusals, vantage)
  const observed = members.reduce((sum, member) => sum + member.observed, 0)
  return {
    title: titleOf({
      crawlers: names,
      are_verified,
      statuses,
      harmful: counted,
      observed,
      host,
      path_key,
      from,
      to,
      member_count: new Set(members.map(({ page_id }) => page_id)).size,
    }),
    cause,
    confidence: confidenceOf({
      harm,
      harmful: counted,
      verified: totalRequests(verified),
      is_sampled: days.some((day) => isSampled(detection, host, { from: day, to: day })),
    }),
    description: descriptionOf(detection, group, harmful),
    fix_prompt: fixPromptOf({
      harm,
      cause,
      crawlers: names,
      are_verified,
      host,
      documented_agent: detection.registry.entry(crawlers[0] as string)?.example_user_agents[0] ?? null,
      paths: [...new Set(members.map(({ path }) => path))],
      table: tableOf(harmful),
    }),
    evidence_refs: refsByStatus({ ...detection, host, path_key, window: `${from}/${to}` }, harmful),
  }
}

/** First and last day of harm. */
export function harmfulDays({ members }: Pick<OpeningGroup, 'members'>): { from: string; to: string } {
  const days = members.flatMap(({ first_day, last_day }) => [first_day, last_day]).sort()
  return { from: days[0] as string, to: days.at(-1) as string }
}

function tableOf(harmful: readonly PageOutcome[]) {
  const rows = Map.groupBy(harmful, ({ day, status }) => `${day} ${status}`)
  return [...rows.keys()].sort().map((key) => {
    const [first, ...others] = rows.get(key) as [PageOutcome, ...PageOutcome[]]
    return {
      day: first.day,
      status: first.status,
      count: others.reduce((sum, one) => sum + one.requests, first.requests),
    }
  })
}

function descriptionOf(detection: DetectionScope, group: HarmGroup, harmful: readonly PageOutcome[]): string | null {
  const sentences: string[] = []
  if (group.crawler_id === null) {
    const byCrawler = [...Map.groupBy(harmful, ({ crawler_id }) => crawler_id)]
      .map(([id, outcomes]) => ({
        name: detection.registry.entry(id)?.display_name ?? id,
        requests: totalRequests(outcomes),
      }))
      .sort((a, b) => b.requests - a.requests || (a.name < b.name ? -1 : 1))
    sentences.push(
      `Harmful requests by crawler: ${byCrawler.map(({ name, requests }) => `${name} ${requests}`).join(', ')}.`,
    )
  }
  if (group.vantage === 'origin' && detection.edge_source_ids.length === 0) sentences.push(ORIGIN_ONLY)
  return sentences.length === 0 ? null : sentences.join(' ')
}

/** If only origin logs count, a refusal by an edge in front of the origin looks like silence. */
export const ORIGIN_ONLY =
  'Seen in logs of the origin: requests that an edge in front of it refused leave no line there, so their absence proves no repair.'
export const SEEN_FROM_ELSEWHERE =
  'Days since then were counted by a source that sees another side of the site; they neither confirm nor repair this.'
