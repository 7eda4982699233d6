/** What Spoor's own fetch of a robots.txt lets it say of a crawler: more careful than the engine (rules 8.4). */
import type { RobotsAvailability } from './availability.ts'
import { type RobotsDecision, robotsDecider, type UndecidedReason } from './engine.ts'
import { needsQuery } from './query-rules.ts'
import type { RobotsTarget } from './target.ts'
import type { RobotsCrawler } from './vendor-reading.ts'

export interface ObservedRobots {
  available: RobotsAvailability
  /** Status of the final response; null if there was none. */
  status: number | null
  /** The body has a decisive challenge signal, so it is not the file that the owner wrote. */
  is_challenge: boolean
  /** The file is where Spoor does not go, and a crawler may: a private address, or a port it does not ask. */
  is_declined?: boolean | undefined
  /** A file was sent, in a form that Spoor cannot read. */
  is_unreadable?: boolean | undefined
}

export interface ObservedDecision extends Omit<RobotsDecision, 'reason'> {
  reason: UndecidedReason | CautionReason | null
  /** The engine's decision, which assumes that the crawler gets what Spoor got. */
  engine: RobotsDecision['decision']
}

type CautionReason =
  /** 401, 403 or 429 to Spoor; the crawler may have been given the file. */
  | 'refused_to_spoor'
  | 'challenge_page'
  | 'not_asked_by_spoor'
  | 'unreadable_to_spoor'
  /** A rule with `?` decides differently for some queries, and a stored path has none. */
  | 'query_rule'

const REFUSALS: ReadonlySet<number | null> = new Set([401, 403, 429])

/** `isStoredPath`: the target is a path/v1, whose query is not known. */
export function observedDecider(
  { available, ...observed }: ObservedRobots,
  target: RobotsTarget,
  { isStoredPath }: { isStoredPath: boolean },
): (crawler: RobotsCrawler) => ObservedDecision {
  const decide = robotsDecider(available, target)
  const caution = cautionReason(observed)
  return (crawler) => {
    const decision = decide(crawler)
    // If the file was not read, even the RFC's decision is not known.
    const engine = caution === 'unreadable_to_spoor' ? 'unknown' : decision.decision
    if (caution !== null) return { ...decision, ...UNDECIDED, reason: caution, engine }
    if (isStoredPath && available.state === 'fetched' && needsQuery(available.file, crawler, decision, target))
      return { ...decision, ...UNDECIDED, reason: 'query_rule', engine }
    return { ...decision, engine }
  }
}

/** Why Spoor's own fetch does not show what the crawler gets; null if it does. */
function cautionReason(observed: Omit<ObservedRobots, 'available'>): CautionReason | null {
  const { status, is_challenge, is_declined, is_unreadable } = observed
  if (is_declined === true) return 'not_asked_by_spoor'
  if (is_unreadable === true) return 'unreadable_to_spoor'
  if (is_challenge) return 'challenge_page'
  return REFUSALS.has(status) ? 'refused_to_spoor' : null
}

const UNDECIDED = { decision: 'unknown', group: null, rule: null, line: null } as const
