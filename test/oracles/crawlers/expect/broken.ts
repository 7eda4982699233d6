/** Deliberate errors of the evaluator, by which tests prove that histories would find such errors in the service. */
const COVERAGE_ERRORS = [
  'day_ends_half_an_hour_early',
  'day_begins_an_hour_late',
  'window_is_a_day_longer',
  'gaps_are_complete',
  'null_is_zero',
  'empty_window_is_zero',
  'secondary_sources_count',
  'partial_sources_add_up',
  'later_connected_wins',
  'partial_before_complete',
  'declared_as_good_as_observed',
  'half_an_hour_more_is_better',
  'open_day_has_no_memory',
  'today_is_stale_after_three_hours',
  'today_must_be_over',
  'senders_hide_each_other',
  'silence_of_an_hour_is_normal',
  'senders_are_expected_for_ever',
  'retired_senders_are_expected',
  'heartbeats_prove_nothing',
  'heartbeats_of_a_host_speak_of_all',
  'uploads_know_no_silence',
  'unreadable_lines_do_not_matter',
  'logs_without_humans_are_whole',
  'one_server_is_enough',
  'unnamed_uploads_stand_alone',
  'old_uploads_hold_sites_back',
  'ended_uploads_do_not_count',
  'disconnected_sources_do_not_count',
  'disconnected_sources_hold_sites_back',
  'hosts_are_never_expected',
  'repeated_lines_count_twice',
  'repeated_batches_count_twice',
  'refused_batches_count',
  'training_counts_by_default',
  'unlabelled_agents_count',
  'unobserved_is_2xx',
  'strongest_identity_is_published',
  'impostors_are_identified',
  'shares_of_listed_pages',
] as const

/** Errors that only histories with an open gate can show. */
export const AUTHORITY_ERRORS = [
  'primaries_count_with_the_gate_open',
  'unassigned_hosts_count',
  'assignments_reach_back',
  'later_assignments_survive',
  'opening_assigns_from_today',
  'opening_assigns_one_source',
  'closing_forgets_assignments',
  'interruptions_begin_at_once',
  'zero_needs_no_proof',
  'past_periods_know_sources_now',
  'late_sources_are_not_stale',
  'shadows_heed_the_purpose_filter',
  'shadows_of_open_days_compare',
  'unassigned_days_are_incomplete',
  'deltas_are_backwards',
] as const

export const ERRORS = [...COVERAGE_ERRORS, ...AUTHORITY_ERRORS] as const
export type Err = (typeof ERRORS)[number]

/** Null: the evaluator as it should be. */
export type Broken = Err | null
