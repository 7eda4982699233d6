/**
 * Decides whether a crawler may request a target: by RFC 9309, and as its vendor documents where that departs from it
 * (rules 8.4).
 */
import type { RobotsAvailability } from './availability.ts'
import { type RulesDecider, type RulesDecision, rulesDecider } from './decide.ts'
import type { RobotsTarget } from './target.ts'
import type { RobotsCrawler, RobotsDeviation, VendorReading } from './vendor-reading.ts'

export interface RobotsDecision extends Omit<RulesDecision, 'decision'> {
  decision: 'allowed' | 'disallowed' | 'unknown'
  deviation: RobotsDeviation | null
  /** Why it is unknown; null otherwise. */
  reason: UndecidedReason | null
}

export type UndecidedReason =
  /** No product token of the crawler is documented. */
  | 'no_token'
  /** The file is longer than the 500 KiB that a crawler must read. */
  | 'rest_of_file'
  /** RFC 9309 2.3.1.4 leaves open what happens after about 30 days. */
  | 'unreachable_over_30_days'
  /** The crawler may use its copy from before, which allows what an unreachable file forbids. */
  | 'last_copy_may_apply'

const MAX_UNREACHABLE_MS = 30 * 24 * 3_600_000

/** One target for many crawlers: rules are matched once for each group. */
export function robotsDecider(
  available: RobotsAvailability,
  target: RobotsTarget,
): (crawler: RobotsCrawler) => RobotsDecision {
  const file = available.state === 'fetched' ? available.file : null
  const decider = file === null ? null : rulesDecider(file, target)
  const lastFile = available.state === 'unreachable' ? available.last_file : null
  const last =
    lastFile === null ? null : { decider: rulesDecider(lastFile, target), is_truncated: lastFile.is_truncated }
  return ({ token, reading = {} }) => {
    if (token === null) return undecided('no_token')
    // RFC 9309 2.2.2: the file itself is always allowed.
    if (file === null && isRobotsFile(target)) return ALLOWED
    if (decider !== null && file !== null)
      return named(decideFile(decider, file.is_truncated && !isRobotsFile(target), token, reading), reading)
    if (available.state === 'unavailable' && !(available.status === 429 && reading.on_429 === 'unreachable'))
      return ALLOWED
    const deviation = available.state === 'unavailable' ? '429_as_unreachable' : null
    const for_ms = available.state === 'unreachable' ? available.for_ms : 0
    return named({ ...decideUnreachable(for_ms, last, token, reading), ...(deviation && { deviation }) }, reading)
  }
}

const isRobotsFile = ({ octets }: RobotsTarget) => octets === '/robots.txt'

function decideFile(decider: RulesDecider, isCut: boolean, token: string, reading: VendorReading): RobotsDecision {
  const { fallback_tokens = [], over_limit, may_follow_others } = reading
  if (isCut && over_limit === undefined) return undecided('rest_of_file')
  if (isCut && over_limit === 'absent') return { ...ALLOWED, deviation: 'over_limit_as_absent' }
  const other = decider.names(token) ? undefined : fallback_tokens.find((fallback) => decider.names(fallback))
  if (other !== undefined) return { ...decider.decide(other), deviation: `group_of:${other}`, reason: null }
  const decided = { ...decider.decide(token), reason: null }
  if (isCut) return { ...decided, deviation: 'rest_ignored' }
  return { ...decided, deviation: may_follow_others && !decider.names(token) ? 'may_follow_others' : null }
}

/** The last file that was reached, with the rules of which crawlers may go on. */
interface LastFile {
  decider: RulesDecider
  is_truncated: boolean
}

function decideUnreachable(
  for_ms: number,
  last: LastFile | null,
  token: string,
  reading: VendorReading,
): RobotsDecision {
  if (reading.on_unfetchable === 'absent') return { ...ALLOWED, deviation: 'unfetchable_as_absent' }
  if (for_ms > MAX_UNREACHABLE_MS) return undecided('unreachable_over_30_days')
  if (last !== null && decideFile(last.decider, last.is_truncated, token, reading).decision !== 'disallowed')
    return undecided('last_copy_may_apply')
  return { ...ALLOWED, decision: 'disallowed' }
}

/** A vendor whose fetches a person asks for may disregard a rule; it says nothing where there is none to disregard. */
function named(decision: RobotsDecision, { may_ignore }: VendorReading): RobotsDecision {
  if (may_ignore !== true || decision.decision !== 'disallowed' || decision.deviation !== null) return decision
  return { ...decision, deviation: 'may_ignore' }
}

const ALLOWED: RobotsDecision = {
  decision: 'allowed',
  group: null,
  rule: null,
  line: null,
  deviation: null,
  reason: null,
}

const undecided = (reason: UndecidedReason): RobotsDecision => ({ ...ALLOWED, decision: 'unknown', reason })
