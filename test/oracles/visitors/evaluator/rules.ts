/**
 * What the evaluator follows, as numbers and switches, so that the check of the check (mutations.ts) can turn each of
 * them wrong. The evaluator is written from the specification and docs/tracker and imports nothing from src.
 */
export interface Rules {
  session_silence_ms: number
  /** Sessions end at 24:00 UTC. */
  midnight_ends_sessions: boolean
  /** Which pageview of a session says where it came from. */
  attribution: 'first' | 'last'
  /** A visit that goes on from the site itself is of an unknown channel. */
  own_referrer: 'unknown' | 'direct'
  /** Click ids that vendors put on all their links pay for nothing. */
  every_click_id_pays: boolean
  /** How long an id is the same event. */
  id_memory_ms: number
  /** Repeats are stored once. */
  repeats_count: boolean
  /** The id of a browser is not the id of a server. */
  id_streams_apart: boolean
  bots_are_visits: boolean
  opt_out_is_heeded: boolean
  /** A bounce has one pageview and no other event. */
  bounce_allows_events: boolean
  /** Averages are over closed sessions. */
  open_sessions_average: boolean
  /** Seconds are averaged over sessions of two events or more. */
  single_events_average: boolean
  gap_is_zero: boolean
  servers_prove_days: boolean
  loads_prove_zero: boolean
  /** How long a silence of the collector harms nothing. */
  outage_ms: number
  pauses_are_outages: boolean
  /** The first day of browsers is partial. */
  first_day_is_partial: boolean
  /** Refused events are missing evidence from so many visitors on. */
  refused_visitors: number
  refunds: 'subtracted' | 'added' | 'ignored'
  currencies_apart: boolean
  /** Sales of a server are one by order id, kind and id over the window. */
  server_sales_once: boolean
  /** Duplicates weigh more than mismatches. */
  duplicate_before_mismatch: boolean
  /** Events of servers count in conversions. */
  servers_convert: boolean
  rules_must_all_hold: boolean
  revisions_end: boolean
  /** A step is reached strictly after the one before. */
  steps_in_order: boolean
  suppressed_under_floor: boolean
  journey_threshold: number
  journeys_fold_repeats: boolean
  journeys_of_open_sessions: boolean
  /** A conversion counts on the page of its own event. */
  conversion_page: 'own' | 'entry'
  /** UTM values are cut to so many characters. */
  utm_length: number
}

/** What the specification says. */
export const PAPERS: Rules = {
  session_silence_ms: 30 * 60_000,
  midnight_ends_sessions: true,
  attribution: 'first',
  own_referrer: 'unknown',
  every_click_id_pays: false,
  id_memory_ms: 72 * 3_600_000,
  repeats_count: false,
  id_streams_apart: true,
  bots_are_visits: false,
  opt_out_is_heeded: true,
  bounce_allows_events: false,
  open_sessions_average: false,
  single_events_average: false,
  gap_is_zero: false,
  servers_prove_days: false,
  loads_prove_zero: false,
  outage_ms: 90_000,
  pauses_are_outages: false,
  first_day_is_partial: true,
  refused_visitors: 3,
  refunds: 'subtracted',
  currencies_apart: true,
  server_sales_once: true,
  duplicate_before_mismatch: true,
  servers_convert: true,
  rules_must_all_hold: true,
  revisions_end: true,
  steps_in_order: true,
  suppressed_under_floor: true,
  journey_threshold: 5,
  journeys_fold_repeats: true,
  journeys_of_open_sessions: false,
  conversion_page: 'own',
  utm_length: 64,
}
