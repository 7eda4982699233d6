/** Reads the outcomes of an issue's pages in the order of time: newest harm, harm after an instant (rules 8.1, 8.2). */
import type { Harm } from '#contract/vocabulary.ts'
import { meetsRule, totalRequests } from '../harms.ts'
import type { PageOutcome } from './page-outcomes.sql.ts'

/** The pages and crawlers of an issue, and which of their requests may advance it. */
export interface TimelineUnit {
  harm: Harm
  /** Pages by their ids in the evidence store. */
  members: readonly { page_id: string; crawler_id: string }[]
  vantage: PageOutcome['vantage']
  weakest_identity: number
}

/** A day of a page whose single instants must be read, because the instant in question lies within its sums. */
export interface UnclearDay {
  page_id: string
  day: string
}

/** Outcomes of the unit's members, from the vantage of its harm and of at least its weakest identity. */
export function outcomesOf(unit: TimelineUnit, outcomes: readonly PageOutcome[]): PageOutcome[] {
  const members = new Set(unit.members.map(memberKey))
  return outcomes.filter(
    (one) => members.has(memberKey(one)) && one.vantage === unit.vantage && one.rank >= unit.weakest_identity,
  )
}

/** Whether sources of another vantage have counted since an instant. */
export const isSeenFromElsewhere = (unit: TimelineUnit, outcomes: readonly PageOutcome[], since: number): boolean =>
  outcomes.some((one) => one.vantage !== unit.vantage && one.last_ms > since)

/** Whether an outcome is the harm of the issue. */
export const isHarmful = (unit: Pick<TimelineUnit, 'harm'>, { harm }: PageOutcome): boolean => harm === unit.harm

/** The last harm in these outcomes, epoch milliseconds; null: none. */
export const lastHarmOf = (unit: TimelineUnit, outcomes: readonly PageOutcome[]): number | null =>
  outcomes
    .filter((one) => isHarmful(unit, one))
    .reduce<number | null>((last, { last_ms }) => Math.max(last ?? last_ms, last_ms), null)

/** Whether some member meets the rule with its requests after an instant, on the days of the rule. */
export function isHarmedAfter(
  unit: TimelineUnit,
  outcomes: readonly PageOutcome[],
  { after, from }: { after: number; from: string },
): boolean {
  const later = outcomes.filter(({ first_ms, day }) => first_ms > after && day >= from)
  return [...Map.groupBy(later, memberKey).values()].some((own) =>
    meetsRule({ harmful: totalRequests(own.filter((one) => isHarmful(unit, one))), observed: totalRequests(own) }),
  )
}

/** Days on which an instant falls between the first and the last request of an outcome. */
export const daysAround = (outcomes: readonly PageOutcome[], instant: number): UnclearDay[] =>
  distinctDays(outcomes.filter(({ first_ms, last_ms }) => first_ms <= instant && last_ms > instant))

/** Each page and day once. */
export function distinctDays(outcomes: readonly UnclearDay[]): UnclearDay[] {
  return [...new Map(outcomes.map(({ page_id, day }) => [`${page_id} ${day}`, { page_id, day }])).values()]
}

/** Identifies a member of an issue. */
export const memberKey = ({ page_id, crawler_id }: { page_id: string; crawler_id: string }) =>
  `${page_id} ${crawler_id}`
