/** Kinds of harm, and when harmful requests of a crawler become an issue (rules 8.1). */
import { DAY_MS } from '#clock.ts'
import { utcDay } from '#days/utc-day.ts'

/** Harm that statuses show. Inspections find the other kinds. */
export const STATUS_HARMS = ['server_error', 'rate_limited', 'refused', 'gone', 'redirects'] as const
export type StatusHarm = (typeof STATUS_HARMS)[number]

/** Statuses that refuse a GET or a HEAD. 405 refuses a GET only: many sites do not offer HEAD. */
export const REFUSING_STATUSES = [401, 402, 403, 406, 407, 451] as const
export const GONE_STATUSES = [404, 410] as const

/** The number of requests of these outcomes. */
export const totalRequests = (outcomes: readonly { requests: number }[]): number =>
  outcomes.reduce((sum, { requests }) => sum + requests, 0)

/** The rule looks at this many UTC days, today included. */
export const RULE_DAYS = 7
/** Its first day, `YYYY-MM-DD`. */
export const ruleFrom = (as_of: number): string => utcDay(as_of - (RULE_DAYS - 1) * DAY_MS)
export const MIN_HARMFUL_REQUESTS = 3

export interface HarmCounts {
  /** Harmful requests of one crawler to one path. */
  harmful: number
  /** All of its requests there whose response was observed, including the harmful ones. */
  observed: number
}

/** At least 3 harmful requests, and at least half of those whose response was observed. */
export const meetsRule = ({ harmful, observed }: HarmCounts): boolean =>
  harmful >= MIN_HARMFUL_REQUESTS && harmful * 2 >= observed

/** Requests for a path in the 30 days before its harm began. Days are `YYYY-MM-DD`, UTC. */
export interface PriorUse {
  /** Days on which it answered any crawler with 2xx or 304. */
  open_days: readonly string[]
  /** Those of these days that had a 2xx, and the number of crawler requests with a 2xx. */
  success_days: readonly string[]
  successes: number
  pageview_days: readonly string[]
  pageviews: number
}

export const PRIOR_DAYS = 30
const MIN_PRIOR_USES = 10
const MIN_PRIOR_DAYS = 2

/** Whether a page that is gone had been in use: 10 successes or pageviews, on 2 days. */
export const wasInUse = (prior: PriorUse): boolean =>
  prior.successes + prior.pageviews >= MIN_PRIOR_USES &&
  new Set([...prior.success_days, ...prior.pageview_days]).size >= MIN_PRIOR_DAYS

/**
 * Whether earlier requests show that the path is open. A 401 asks for a login, which may always have been so; then, and
 * for paths that have answered no crawler, the neutral inspection decides.
 */
export const isKnownOpen = (prior: PriorUse, is_login_asked: boolean): boolean =>
  prior.open_days.length > 0 && !is_login_asked
