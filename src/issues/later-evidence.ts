/** What the outcomes of an issue's pages say over time: newest harm, success since, harm since (rules 8.1, 8.2). */
import type { Harm } from '#contract/vocabulary.ts'
import { meetsRule } from './harms.ts'
import type { PageOutcome } from './page-outcomes.sql.ts'

/** The pages and crawlers of an issue, and what requests may move it. */
export interface TimelineUnit {
  harm: Harm
  /** Of the evidence store. */
  members: readonly { page_id: string; crawler_id: string }[]
  vantage: PageOutcome['vantage']
  weakest_identity: number
}

/**
 * A day of a page whose outcomes must be distinguished by their instants, because a question falls between two of them.
 */
export interface UnclearDay {
  page_id: string
  day: string
}

/** Outcomes of the unit's members, seen from where its harm was recorded, of at least its weakest identity. */
export function outcomesOf(unit: TimelineUnit, outcomes: readonly PageOutcome[]): PageOutcome[] {
  const members = new Set(unit.members.map(memberKey))
  return outcomes.filter(
    (one) => members.has(memberKey(one)) && one.vantage === unit.vantage && one.rank >= unit.weakest_identity,
  )
}

/** Whether the counting sources have another vantage than the unit's, since an instant. */
export const isSeenFromElsewhere = (unit: TimelineUnit, outcomes: readonly PageOutcome[], since: number): boolean =>
  outcomes.some((one) => one.vantage !== unit.vantage && one.last_ms > since)

export const isHarmful = (unit: Pick<TimelineUnit, 'harm'>, { harm }: PageOutcome): boolean => harm === unit.harm

/** Every success but 202, which challenges use; a redirect too, unless redirects are the harm. */
export function isSuccess(harm: Harm, { status, by_edge }: PageOutcome): boolean {
  if (by_edge === 1 || status === 202) return false
  const most = harm === 'redirects' ? 299 : 399
  return (status >= 200 && status <= most) || status === 304
}

export const lastHarmOf = (unit: TimelineUnit, outcomes: readonly PageOutcome[]): number | null =>
  outcomes
    .filter((one) => isHarmful(unit, one))
    .reduce<number | null>((last, { last_ms }) => Math.max(last ?? last_ms, last_ms), null)

/** Whether a member meets the rule with requests after an instant alone, on the days of the rule. */
export function isHarmedAfter(
  unit: TimelineUnit,
  outcomes: readonly PageOutcome[],
  { after, from }: { after: number; from: string },
): boolean {
  const later = outcomes.filter(({ first_ms, day }) => first_ms > after && day >= from)
  return [...Map.groupBy(later, memberKey).values()].some((of) =>
    meetsRule({ harmful: sum(of.filter((one) => isHarmful(unit, one))), observed: sum(of) }),
  )
}

export type OrganicSuccess =
  | { state: 'none' }
  /** `at`: the instant of the third success. */
  | { state: 'shown'; at: number }
  /** The instant of the third success lies somewhere within these days. */
  | { state: 'unclear'; days: UnclearDay[] }

const MIN_SUCCESSES = 3
const MIN_MEMBERS = 3

/**
 * Success of the crawler itself after an instant: three requests, all served, over three members of a prefix. Days with
 * requests before and after that instant are asked for only where those after it can be enough.
 */
export function organicSuccess(unit: TimelineUnit, outcomes: readonly PageOutcome[], after: number): OrganicSuccess {
  // The last request of each is after the instant, whenever the others were.
  const ended = outcomes.filter(({ last_ms }) => last_ms > after)
  if (ended.some((one) => !isSuccess(unit.harm, one))) return { state: 'none' }
  const pages = new Set(unit.members.map(({ page_id }) => page_id))
  const needed = Math.min(MIN_MEMBERS, pages.size)
  // The first request of one that spans the instant is not after it.
  const most = ended.reduce((total, { first_ms, requests }) => total + (first_ms > after ? requests : requests - 1), 0)
  if (most < MIN_SUCCESSES || new Set(ended.map(({ page_id }) => page_id)).size < needed) return { state: 'none' }
  const around = daysAround(outcomes, after)
  if (around.length > 0) return { state: 'unclear', days: around }
  const later = ended.sort((a, b) => a.first_ms - b.first_ms)
  const seen = new Set<string>()
  let successes = 0
  for (const one of later) {
    successes += one.requests
    seen.add(one.page_id)
    if (successes < MIN_SUCCESSES || seen.size < needed) continue
    const before = later.filter(({ first_ms }) => first_ms <= one.first_ms)
    const spans = before.filter(({ first_ms, last_ms }) => first_ms !== last_ms)
    if (spans.length === 0) return { state: 'shown', at: one.first_ms }
    return { state: 'unclear', days: distinctDays(spans) }
  }
  return { state: 'none' }
}

/** Days on which an instant falls between the first and the last request of an outcome. */
export const daysAround = (outcomes: readonly PageOutcome[], instant: number): UnclearDay[] =>
  distinctDays(outcomes.filter(({ first_ms, last_ms }) => first_ms <= instant && last_ms > instant))

function distinctDays(outcomes: readonly PageOutcome[]): UnclearDay[] {
  return [...new Map(outcomes.map(({ page_id, day }) => [`${page_id} ${day}`, { page_id, day }])).values()]
}

export const memberKey = ({ page_id, crawler_id }: { page_id: string; crawler_id: string }) =>
  `${page_id} ${crawler_id}`
const sum = (outcomes: readonly PageOutcome[]) => outcomes.reduce((total, { requests }) => total + requests, 0)
