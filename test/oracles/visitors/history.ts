/** What happens to one site, as a plain list of steps in the order of time. */

/** Epoch milliseconds. */
export type Instant = number

export const SECOND = 1_000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

export type Scalar = string | number | boolean

/** An event as its sender writes it. */
export interface SentEvent {
  type: 'pageview' | 'event' | 'revenue'
  id: string | null
  /** Null: a server may leave the page out. */
  url: string | null
  referrer?: string
  name?: string
  props?: Record<string, Scalar>
  revenue?: { amount_minor: number; currency: string; order_id?: string; kind?: 'sale' | 'refund' }
}

export interface BrowserRequest {
  at: Instant
  do: 'browser'
  /** Stands for a client address with a user agent. */
  visitor: number
  is_bot?: boolean
  opts_out?: 'sec-gpc' | 'dnt'
  /** Sent from a page of another site. */
  is_foreign?: boolean
  /** Which public key of the site, in order of creation. */
  key: number
  events: SentEvent[]
}

export interface PropertyRule {
  property_key: string
  operator: 'equals' | 'one_of' | 'between'
  comparison: { value: Scalar } | { values: string[] } | { lower: number; upper: number }
}

export type Matcher =
  | { kind: 'event'; event_name: string; property_rules: PropertyRule[] }
  | { kind: 'pageview'; hostname: string; path: string }

export type FunnelStep = { kind: 'page'; hostname: string; path: string } | { kind: 'conversion'; name: string }

export interface Ask {
  reader: 'overview' | 'analytics-sources' | 'pages' | 'conversions' | 'funnels' | 'funnel' | 'journeys' | 'revenue'
  window: '3d' | '7d' | '30d' | '90d'
  limit?: number
  /** Of a funnel: its name, and which revision; left out, the current one. */
  funnel?: string
  revision?: number
}

export type Step =
  | BrowserRequest
  | { at: Instant; do: 'server'; events: SentEvent[] }
  /** The tracker's script is loaded by a browser. */
  | { at: Instant; do: 'load' }
  /** The daily inspection of the home page. */
  | { at: Instant; do: 'inspect'; found: boolean }
  /** The first one installs the tracker, with its first public key. */
  | { at: Instant; do: 'enable' }
  | { at: Instant; do: 'disable' }
  | { at: Instant; do: 'new_key' }
  | { at: Instant; do: 'revoke'; key: number }
  /** The collector is down until then; nothing is sent meanwhile. */
  | { at: Instant; do: 'down'; until: Instant }
  | {
      at: Instant
      do: 'declare'
      event_name: string
      key: string
      kind: 'enum' | 'integer' | 'boolean'
      values: string[]
    }
  /** An enum gets these values. */
  | { at: Instant; do: 'edit_property'; event_name: string; key: string; values: string[] }
  | { at: Instant; do: 'end_property'; event_name: string; key: string }
  | { at: Instant; do: 'add_conversion'; name: string; matcher: Matcher }
  | { at: Instant; do: 'edit_conversion'; name: string; matcher: Matcher }
  | { at: Instant; do: 'archive_conversion'; name: string }
  | { at: Instant; do: 'add_funnel'; name: string; steps: FunnelStep[] }
  | { at: Instant; do: 'edit_funnel'; name: string; steps: FunnelStep[] }
  | { at: Instant; do: 'archive_funnel'; name: string }
  | { at: Instant; do: 'privacy_floor'; sessions: number }
  /** Whether visitors who opt out are left out, as they are unless the owner says otherwise. */
  | { at: Instant; do: 'heed_opt_out'; on: boolean }
  /** A reader is switched off or on again. */
  | { at: Instant; do: 'reader'; reader: Ask['reader']; on: boolean }
  /** The second version of the overview is switched on or off. */
  | { at: Instant; do: 'overview_v2'; on: boolean }
  /** Closed days are derived; no answer changes by that. */
  | { at: Instant; do: 'derive' }
  | { at: Instant; do: 'ask'; asks: Ask[] }

export interface History {
  seed: number
  /** Root domain of the site. */
  domain: string
  steps: Step[]
}

/** A history as text, one step per line, for people who search for the cause of a difference. */
export function print({ seed, domain, steps }: History): string {
  const lines = steps.map(
    ({ at, do: what, ...rest }) => `${new Date(at).toISOString()} ${what} ${JSON.stringify(rest)}`,
  )
  return [`seed ${seed}, ${domain}`, ...lines].join('\n')
}

/** The first instant of the UTC day that an instant lies in. */
export const dayStart = (at: Instant): Instant => Math.floor(at / DAY) * DAY
/** The UTC day that an instant lies in, as YYYY-MM-DD. */
export const dayOf = (at: Instant): string => new Date(at).toISOString().slice(0, 10)
