/**
 * Deliberate errors of the evaluator. Each one has to be found by a history, or the histories would not find it in the
 * service either.
 */

import type { Rules } from './evaluator/rules.ts'
import { DAY, HOUR, MINUTE } from './history.ts'

export const MUTATIONS: Readonly<Record<string, Partial<Rules>>> = {
  'a session lasts over a silence of an hour': { session_silence_ms: HOUR },
  'a session ends one second too early': { session_silence_ms: 30 * MINUTE - 1_000 },
  'a session goes on over midnight': { midnight_ends_sessions: false },
  'the last pageview says where a session came from': { attribution: 'last' },
  'a visit that goes on is direct': { own_referrer: 'direct' },
  'every click id pays': { every_click_id_pays: true },
  'an id is forgotten after a day': { id_memory_ms: DAY },
  'an id is never forgotten': { id_memory_ms: 1_000 * DAY },
  'repeats count': { repeats_count: true },
  'servers and browsers share ids': { id_streams_apart: false },
  'bots are visits': { bots_are_visits: true },
  'visitors who opt out are counted': { opt_out_is_heeded: false },
  'a bounce may have events': { bounce_allows_events: true },
  'open sessions are averaged': { open_sessions_average: true },
  'sessions of one event are averaged': { single_events_average: true },
  'a gap is zero': { gap_is_zero: true },
  'servers prove days of browsers': { servers_prove_days: true },
  'a load of the script proves a zero': { loads_prove_zero: true },
  'only outages of an hour harm': { outage_ms: HOUR },
  'every outage harms': { outage_ms: 0 },
  'a pause of the owner is an outage': { pauses_are_outages: true },
  'the first day is complete': { first_day_is_partial: false },
  'one visitor is enough for missing evidence': { refused_visitors: 1 },
  'refused events are never missing': { refused_visitors: 1_000 },
  'refunds are added': { refunds: 'added' },
  'refunds are left out': { refunds: 'ignored' },
  'currencies are summed': { currencies_apart: false },
  'a sale that comes again after days counts again': { server_sales_once: false },
  'a mismatch weighs more than a duplicate': { duplicate_before_mismatch: false },
  'events of servers do not convert': { servers_convert: false },
  'one rule of a conversion is enough': { rules_must_all_hold: false },
  'a revision counts after its end': { revisions_end: false },
  'steps count in any order': { steps_in_order: false },
  'small funnels are published': { suppressed_under_floor: false },
  'a journey of four sessions is shown': { journey_threshold: 4 },
  'repeated pages are steps of a journey': { journeys_fold_repeats: false },
  'open sessions are journeys': { journeys_of_open_sessions: true },
  'a conversion counts on the page of entry': { conversion_page: 'entry' },
  'UTM values are not cut': { utm_length: 1_000 },
}
