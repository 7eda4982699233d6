/** How a vendor documents that its crawler reads robots.txt where it departs from RFC 9309; data of the registry. */
export interface VendorReading {
  /** Tokens whose group it follows when none names its own, in this order, before `*`. */
  fallback_tokens?: readonly string[]
  /** It treats 429 like a 5xx. */
  on_429?: 'unreachable'
  /** It treats a file that cannot be fetched as absent, so that everything is allowed. */
  on_unfetchable?: 'absent'
  /** Of a file over 500 KiB: it ignores the rest, or the whole file. */
  over_limit?: 'rest_ignored' | 'absent'
  /** It may request disallowed pages, because a person asked for them. */
  may_ignore?: true
  /** Where no group names it, it may follow groups of other crawlers that are not documented by name. */
  may_follow_others?: true
  /** How long it may use a copy, where that is not the 24 hours of RFC 9309. */
  cache_hours?: number
}

/** A crawler as a robots.txt sees it. */
export interface RobotsCrawler {
  /** Its product token; null where none is documented. */
  token: string | null
  /** Undefined where the vendor documents no departure. */
  reading: VendorReading | undefined
}

/**
 * Named in answers when a departure took part in a decision; `group_of:TOKEN` names the group that was followed.
 */
export type RobotsDeviation =
  | `group_of:${string}`
  | '429_as_unreachable'
  | 'unfetchable_as_absent'
  | 'rest_ignored'
  | 'over_limit_as_absent'
  | 'may_follow_others'
  | 'may_ignore'
