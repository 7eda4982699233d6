/** The tracker: its keys, the definitions of its owner, and how complete its collection was (rules 6). */
import type { EpochMs, Truth } from './scalars.ts'

/** One per site that ever had a tracker key. */
export interface TrackerRow {
  site_id: string
  enabled_at: EpochMs
  /** Since when its owner keeps it switched off; null while it is on. */
  disabled_at: EpochMs | null
  /** Receipt of the first accepted event of a visitor or a server; null before. */
  first_event_at: EpochMs | null
  /** Receipt of the newest one, as of the last mark of the collector. */
  last_event_at: EpochMs | null
  /** UTC day with which coverage of browsers begins, once retention has deleted what proves it; null before. */
  browsers_from: string | null
  /** Receipt of the newest event that an older version stored without own referrers; null for none (`oldOrigins`). */
  old_origins_through: EpochMs | null
  /** The site's key for order ids, sealed: what is stored is their HMAC (rules 6, Revenue). */
  sealed_order_key: string
}

/** A site's order key that the secret key in use did not open, kept for the return of the right one. */
export interface EarlierOrderKeyRow {
  site_id: string
  sealed_order_key: string
  replaced_at: EpochMs
}

/** A public tracker id or a server event key (rules 6). */
export interface TrackerKeyRow {
  id: string
  site_id: string
  kind: 'public' | 'server'
  /** SHA-256 of the whole key, lower-case hex. */
  secret_sha256: string
  /** The whole key when it is public, else as much of it as may be shown. */
  prefix: string
  created_at: EpochMs
  revoked_at: EpochMs | null
}

/** A time range in which the owner had the tracker switched off. */
export interface TrackerPauseRow {
  site_id: string
  from_at: EpochMs
  to_at: EpochMs | null
}

/** When a collector was up and accepted events were durable; `through_at` moves with every mark (rules 6). */
export interface CollectorRunRow {
  id: string
  from_at: EpochMs
  through_at: EpochMs
}

/**
 * Counts of events on a UTC day, by outcome and reason. The reason of accepted and repeated events is `server` for
 * those of customers' servers, `bot` for repeats of bots, and empty for browsers.
 */
export interface CollectionCountRow {
  site_id: string
  day: string
  outcome: 'accepted' | 'bot' | 'refused' | 'repeated' | 'opted_out'
  reason: string
  events: number
  last_at: EpochMs
}

/** An origin whose events are kept apart, because its site is developed there (rules 6.14). */
export interface DevelopmentOriginRow {
  site_id: string
  /** Scheme, host and port as a browser sends them, for example `http://localhost:3000`. */
  origin: string
  added_at: EpochMs
}

/** Refused visitors' events that their site's own pages sent, by what they would have been (rules 6). */
export interface RefusedEvidenceRow {
  site_id: string
  day: string
  /** `key`: any event, sent with a revoked key. */
  kind: 'key' | 'pageview' | 'event' | 'revenue'
  /** Empty for keys and pageviews; of the others a name in force, else OTHER_NAME. */
  name: string
  events: number
  /** Distinct visitors, counted up to ENOUGH_VISITORS. */
  visitors: number
  /** Their hashes, separated by blanks, while they are fewer than ENOUGH_VISITORS and the day's salt is kept. */
  visitor_hashes: string
  first_at: EpochMs
}

/** When the snippet was proved present without an event: by a load of the script or the daily inspection (rules 6). */
export interface SnippetProofRow {
  site_id: string
  day: string
  proof: 'script_load' | 'inspection'
  proved_at: EpochMs
}

/** The salt that visitors of a UTC day are hashed with, sealed; deleted an hour after its day. */
export interface VisitorSaltRow {
  day: string
  /** One for each secret key that was in use on the day, separated by spaces, the newest first. */
  sealed_salt: string
}

/** A declared property of a named event; a change of its kind or values makes a new revision. */
export interface PropertyRow {
  id: string
  site_id: string
  event_name: string
  property_key: string
  revision: number
  scalar_kind: 'enum' | 'integer' | 'boolean'
  /** The declared values of an enum, a JSON array of text; null for the other kinds. */
  enum_values: string | null
  created_at: EpochMs
  /** Null while this revision is in force. */
  ended_at: EpochMs | null
}

/** A conversion; its name and matcher are in its revisions. */
export interface ConversionRow {
  id: string
  site_id: string
  created_at: EpochMs
  archived_at: EpochMs | null
}

/** Immutable; counts events in [effective_from, effective_to). */
export interface ConversionRevisionRow {
  id: string
  conversion_id: string
  site_id: string
  revision: number
  name: string
  /** ConversionMatcher of the contract, JSON. */
  matcher: string
  effective_from: EpochMs
  effective_to: EpochMs | null
  created_at: EpochMs
}

/** A funnel; the slug never changes (rules 6). */
export interface FunnelRow {
  id: string
  site_id: string
  slug: string
  created_at: EpochMs
  archived_at: EpochMs | null
}

/** Immutable; counts sessions begun in [effective_from, effective_to). */
export interface FunnelRevisionRow {
  id: string
  funnel_id: string
  site_id: string
  revision: number
  name: string
  /** StepDefinition[] of the contract, JSON. */
  steps: string
  effective_from: EpochMs
  effective_to: EpochMs | null
  created_at: EpochMs
}

/** What a site's owner settled for its tracker answers. */
export interface TrackerSettingRow {
  site_id: string
  /** Below this many entered sessions a funnel is suppressed; 0 suppresses nothing (decisions 5). */
  privacy_floor: number
  /** Visitors whose browsers send `Sec-GPC: 1` or `DNT: 1` are not counted (rules 6). */
  honours_opt_out: Truth
}
