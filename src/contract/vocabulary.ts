/** Every closed set of the interface, in the order in which answers list its values. */

export * from './brand-vocabulary.ts'

export const ROLES = ['owner', 'editor', 'viewer'] as const // spec 2.1
export type Role = (typeof ROLES)[number]
export const ACCOUNT_ROLES = ['admin', 'member'] as const // account API 1
export type AccountRole = (typeof ACCOUNT_ROLES)[number]
export const TOKEN_SCOPES = ['read', 'write'] as const // spec 5

export const PURPOSES = ['search', 'assistant', 'training', 'unknown'] as const // spec 2.5
export type Purpose = (typeof PURPOSES)[number]
export const DEFAULT_PURPOSES = ['search', 'assistant', 'unknown'] as const satisfies readonly Purpose[] // spec 4.1

export const WINDOWS = ['3d', '7d', '30d', '90d', '180d', '365d'] as const // spec 4.1
export type Window = (typeof WINDOWS)[number]
export const SHORT_WINDOWS = ['3d', '7d', '30d'] as const satisfies readonly Window[] // spec 4.1
export type ShortWindow = (typeof SHORT_WINDOWS)[number]
export const DEFAULT_WINDOW = '30d' satisfies ShortWindow // spec 4.1

export const FORMATS = ['json', 'csv'] as const // spec 4.1

/** What tracker answers count besides visitors when they are asked to. */
export const INCLUDES = ['development'] as const // rules 6.14
export type Included = (typeof INCLUDES)[number]

export const COVERAGE_STATES = ['complete', 'partial', 'unknown'] as const // spec 2.2
export type CoverageState = (typeof COVERAGE_STATES)[number]

export const SOURCE_TYPES = ['cloudflare_zone', 'https_intake', 'log_upload'] as const // spec 2.3
export type SourceType = (typeof SOURCE_TYPES)[number]
export const CONNECTION_STATUSES = ['pending', 'live', 'error', 'revoked', 'disconnected'] as const // spec 2.3, 3
export type ConnectionStatus = (typeof CONNECTION_STATUSES)[number]
export const COMPLETENESSES = ['complete', 'partial', 'unknown'] as const // spec 2.3
export type Completeness = (typeof COMPLETENESSES)[number]
export const FIDELITIES = ['exact', 'grouped', 'unavailable'] as const // spec 2.3, 2.4
export type Fidelity = (typeof FIDELITIES)[number]

export const EVIDENCE_STATES = ['complete', 'partial', 'gap', 'stale', 'unavailable', 'unknown'] as const // spec 2.4
export type EvidenceState = (typeof EVIDENCE_STATES)[number]
export const AUTHORITY_STATES = ['assigned', 'unknown'] as const // spec 2.4

/** Why a day was not covered in full, as the dashboard names it. */
export const COVERAGE_REASONS = [
  ...(['backfill', 'sampled', 'capped', 'filtered', 'stale', 'unreadable_lines'] as const),
  ...(['no_signal', 'collection_interrupted'] as const),
] as const
export type CoverageReason = (typeof COVERAGE_REASONS)[number]
export const OBSERVED_OUTCOMES = ['2xx', '3xx', '4xx', '5xx', 'other'] as const // spec 2.5
export const OUTCOMES = [...OBSERVED_OUTCOMES, 'response_unobserved'] as const // spec 2.5, rules 2
export type OutcomeClass = (typeof OUTCOMES)[number]

/** Strongest last, weakest first: a row of mixed identities shows the first of them (spec 1.5, decisions 3.3). */
export const IDENTITIES = ['unknown', 'ua_identified', 'provider_verified', 'network_verified'] as const // spec 2.5
export type Identity = (typeof IDENTITIES)[number]

/** Whether Spoor holds the addresses that a vendor publishes; without them no address proves or refutes a claim. */
export const ADDRESS_LIST_STATES = ['held', 'not_held', 'not_published'] as const // rules 2
export type AddressListState = (typeof ADDRESS_LIST_STATES)[number]

/** What shows that an agent is a program: the registry's automation signs, or its provider's verdict. */
export const AGENT_SIGNS = ['word', 'url', 'email', 'program', 'whole_agent', 'provider_verdict'] as const // rules 4
export type AgentSign = (typeof AGENT_SIGNS)[number]

/** What a registry entry is to a site; a fifth, `ads`, is never counted (decisions 3.3). */
export const SCOPES = ['ai', 'agent', 'search_engine', 'data_provider'] as const // rules 2
export type Scope = (typeof SCOPES)[number]
export const PATH_CLASSES = ['content', 'infrastructure'] as const // decisions 3.3
export type PathClass = (typeof PATH_CLASSES)[number]
export const PATH_FIDELITIES = ['exact', 'redacted'] as const // spec 2.6, decisions 3.6
export type PathFidelity = (typeof PATH_FIDELITIES)[number]

export const ISSUE_STATES = ['open', 'fix_detected', 'regressed'] as const // spec 2.5, 3
export const ISSUE_CAUSES = [
  'robots_rule',
  'http_status',
  'waf_or_challenge',
  'redirect_chain',
  'dns',
  'tls',
  'origin_error',
  'unknown',
] as const // spec 2.5
export const CONFIDENCES = ['high', 'medium', 'low'] as const // spec 2.5
/** Kinds of harm, in the order of their table. */
export const HARMS = [
  'server_error',
  'rate_limited',
  'refused',
  'gone',
  'redirects',
  'challenged',
  'robots',
  'unreachable',
] as const // rules 8.1
export type Harm = (typeof HARMS)[number]
/** Where the life of an issue may stand: listed ones as ISSUE_STATES, and ended ones. */
export const LIFE_STATES = [...ISSUE_STATES, 'withdrawn', 'lapsed', 'closed'] as const // rules 8.2
export type LifeState = (typeof LIFE_STATES)[number]
export const LIFE_CHANGES = [
  'opened',
  'fix_detected',
  'fix_confirmed',
  'regressed',
  'withdrawn',
  'lapsed',
  'closed',
] as const // rules 8.2
export type LifeChange = (typeof LIFE_CHANGES)[number]
export const VERIFICATION_STATES = ['done', 'queued', 'deferred'] as const // rules 8.2
/** What a source sees: what the edge in front of a site answered, or what its origin did. */
export const VANTAGES = ['edge', 'origin'] as const // rules 8.1
export type Vantage = (typeof VANTAGES)[number]
export const ROLLUP_KINDS = ['rollup_daily', 'crawler_rollup_daily_v2'] as const // spec 2.5

export const MEASUREMENT_STATES = ['uninstalled', 'awaiting_first_evidence', 'measured', 'unavailable'] as const // spec 2.6
export const TRACKER_COMPLETENESSES = ['partial', 'unknown'] as const // spec 2.6
export const TRACKER_DAY_STATES = ['complete', 'partial', 'gap'] as const // rules 6
/** In the order in which answers list them. */
export const CHANNELS = [
  'ai_assistant',
  'organic_search',
  'paid_search',
  'social',
  'email',
  'referral',
  'direct',
  'unknown',
] as const // decisions 5
export type Channel = (typeof CHANNELS)[number]
export const AI_EVIDENCE = ['referrer', 'utm', 'both'] as const // decisions 5
export const FRESHNESSES = ['current', 'stale', 'unavailable'] as const // spec 2.6
export type Freshness = (typeof FRESHNESSES)[number]
export const OPERATIONAL_STATES = ['not_set_up', 'connecting', 'live', 'needs_attention', 'disabled'] as const // spec 2.6
export const CONFIGURATION_STATES = ['not_configured', 'configured'] as const // spec 2.6
export const DEFINITION_STATES = ['active', 'archived'] as const // spec 2.6
export const FUNNEL_EVIDENCE_STATES = ['not_effective', 'unknown', 'measured', 'partial', 'suppressed'] as const // spec 2.6
export const STEP_COVERAGES = ['complete', 'partial', 'unknown', 'not_applicable'] as const // spec 2.6
export const SESSION_CERTAINTIES = ['exact', 'ambiguous', 'unknown'] as const // spec 2.6
export const QUALITIES = ['exact', 'observed_lower_bound', 'unknown', 'suppressed'] as const // spec 2.6
export const CONVERSION_EVIDENCE_STATES = ['unknown', 'measured', 'partial'] as const // rules 6
export const COUNT_QUALITIES = ['exact', 'observed_lower_bound', 'unknown'] as const // rules 6
export const REVENUE_PROVENANCES = ['browser', 'server'] as const // spec 4.2
/** What became of an order, the first that fits (rules 6). */
export const REVENUE_CLASSES = [
  'unkeyed',
  'duplicate',
  'currency_mismatch',
  'amount_mismatch',
  'matched',
  'browser_only',
  'server_only',
] as const // decisions 5
export const SCALAR_KINDS = ['enum', 'integer', 'boolean'] as const // spec 2.6
export const OPERATORS = ['equals', 'one_of', 'between'] as const // spec 2.6

/** What stands after `urn:spoor:problem:` in a problem's `type`. */
export const PROBLEM_KINDS = [
  'malformed_request',
  'path_not_found',
  'method_not_allowed',
  'unauthenticated',
  'site_not_found',
  'invalid_parameter',
  'invalid_body',
  'window_too_long',
  'reader_unavailable',
  'not_found',
  'unprocessable',
  'not_built',
  'internal_error',
] as const // rules 1
export type ProblemKind = (typeof PROBLEM_KINDS)[number]

/** Changes of issues that are alerted of, as the issue's own changes are called, and several of them in one. */
export const ISSUE_CHANGES = ['opened', 'regressed', 'fix_detected', 'fix_confirmed', 'withdrawn'] as const // rules 8.6
export type IssueChangeKind = (typeof ISSUE_CHANGES)[number]
export const ALERT_EVENT_TYPES = [
  'issue.opened',
  'issue.regressed',
  'issue.fix_detected',
  'issue.fix_confirmed',
  'issue.withdrawn',
  'issue.digest',
  'source.silent',
  'source.error',
  'source.recovered',
  'tracker.no_signal',
  'tracker.recovered',
] as const // rules 8.6
export type AlertEventType = (typeof ALERT_EVENT_TYPES)[number]
