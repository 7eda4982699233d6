/** Successful requests of the crawler itself after the last harm: the proof of a repair (rules 8.2). */
import type { Harm } from '#contract/vocabulary.ts'
import { daysAround, distinctDays, type TimelineUnit, type UnclearDay } from './later-evidence.ts'
import type { PageOutcome } from './page-outcomes.sql.ts'

export type OrganicSuccess =
  | { state: 'none' }
  /** `at`: the instant of the third success. */
  | { state: 'shown'; at: number }
  /** The instant of the third success is within these days. */
  | { state: 'unclear'; days: UnclearDay[] }

/**
 * Whether an outcome is a success. A 202 is not, because challenges use it. A redirect is, unless redirects are the
 * harm.
 */
export function isSuccess(harm: Harm, { status, by_edge }: PageOutcome): boolean {
  if (by_edge === 1 || status === 202) return false
  const most = harm === 'redirects' ? 299 : 399
  return (status >= 200 && status <= most) || status === 304
}

const MIN_SUCCESSES = 3
const MIN_MEMBERS = 3

/**
 * Success after an instant: at least three requests, all served, of three members of a prefix. Days with requests
 * before and after that instant are unclear, if the requests after it could be enough.
 */
export function organicSuccess(unit: TimelineUnit, outcomes: readonly PageOutcome[], after: number): OrganicSuccess {
  // At least the last request of each outcome is after the instant.
  const ended = outcomes.filter(({ last_ms }) => last_ms > after)
  if (ended.some((one) => !isSuccess(unit.harm, one))) return { state: 'none' }
  const pages = new Set(unit.members.map(({ page_id }) => page_id))
  const needed = Math.min(MIN_MEMBERS, pages.size)
  // If an outcome spans the instant, its first request is not after it.
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
