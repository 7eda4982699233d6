/** Settings on which answers and durability depend, the same on every engine, in place of its defaults. */

const MIB = 1024 * 1024
export const READ_SECONDS = 30
export const WRITE_SECONDS = 600

export const SESSION_SETTINGS = {
  async_insert: 0,
  date_time_output_format: 'simple',
  // Rows with the same key are in the same month, because the day is part of the key.
  do_not_merge_across_partitions_select_final: 1,
  input_format_allow_errors_num: 0,
  insert_deduplicate: 0,
  join_use_nulls: 1,
  lightweight_deletes_sync: 2,
  max_query_size: 16 * MIB,
  mutations_sync: 1,
  output_format_json_escape_forward_slashes: 0,
  output_format_json_quote_64bit_integers: 1,
  output_format_json_quote_denormals: 0,
  session_timezone: 'UTC',
  timeout_overflow_mode: 'throw',
  // A larger set matches nearly every granule, and looking up each of its values costs more than reading them all.
  use_index_for_in_with_subqueries_max_values: 10_000,
}

/**
 * For readers only. Without these settings, the fourth run of each kind of statement waits 20 to 90 ms for the
 * compiler, which saves a tenth of the time where millions of facts are read, and little elsewhere
 * (docs/benchmarks.md). And a second run allocates memory for as many groups as the first one had, and spills to disk
 * for that: a report of a year by day then takes five times as long.
 */
export const READER_SETTINGS = {
  compile_expressions: 0,
  compile_aggregate_expressions: 0,
  collect_hash_table_stats_during_aggregation: 0,
}

/** 0: the engine reads as fast as it can. */
const UNLIMITED = 0

export interface SettingsOfLimits {
  seconds: number
  /** Sorting and grouping spill to disk at half of it. */
  memory_bytes: number
  /** The most rows that the statement reads in a second; by default as many as it can. */
  rows_a_second?: number | undefined
}

/**
 * The limits of a statement, as assignments for SET. Each is always assigned, because a session keeps assignments for
 * its next statements.
 */
export function statementSettings({
  seconds,
  memory_bytes,
  rows_a_second = UNLIMITED,
}: SettingsOfLimits): Record<string, number> {
  return {
    max_execution_time: seconds,
    max_execution_speed: rows_a_second,
    // By default the engine applies the limit only after ten seconds.
    timeout_before_checking_execution_speed: 0,
    max_memory_usage: memory_bytes,
    max_bytes_before_external_group_by: Math.floor(memory_bytes / 2),
    max_bytes_before_external_sort: Math.floor(memory_bytes / 2),
  }
}
