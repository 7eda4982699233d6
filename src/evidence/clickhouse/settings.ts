/** The settings of each request to a ClickHouse server. Server settings are the operator's. */
import {
  READ_SECONDS,
  READER_SETTINGS,
  SESSION_SETTINGS,
  type SettingsOfLimits,
  statementSettings,
  WRITE_SECONDS,
} from '../statement-settings.ts'
import type { StatementLimits } from '../store.ts'

export type RequestSettings = Readonly<Record<string, string | number>>

/**
 * The settings of a request, and the seconds after which the server ends it. Without a response by then, it is lost.
 */
export interface RequestLimits {
  settings: RequestSettings
  seconds: number
}

const MIB = 1024 * 1024
const READ_MEMORY_MB = 300
const WRITE_MEMORY_MB = 400
/** The settings of a command, and of the count of its inserted rows. */
export const WRITE_LIMITS: StatementLimits = { max_seconds: WRITE_SECONDS, max_memory_mb: WRITE_MEMORY_MB }

/** A failure is reported by the HTTP status, not at the end of a response that has begun. */
const WHOLE_RESPONSES = { wait_end_of_query: 1, http_write_exception_in_output_format: 0 }

/** Proxies close idle connections: a header once a minute keeps one open. */
const KEEP_ALIVE = { send_progress_in_http_headers: 1, http_headers_progress_interval_ms: '60000' }

/** Settings by which a quorum confirms writes, and reads return only confirmed rows (decisions 8.1). */
export const CLUSTER_SETTINGS = {
  select_sequential_consistency: 1,
  insert_quorum: 'auto',
  insert_quorum_parallel: 0,
  distributed_foreground_insert: 1,
  // Otherwise each shard would commit its part of an INSERT … SELECT, and a failure would leave some parts.
  parallel_distributed_insert_select: 0,
  distributed_product_mode: 'global',
  skip_unavailable_shards: 0,
  fallback_to_stale_replicas_for_distributed_queries: 0,
  alter_sync: 2,
  mutations_sync: 2,
  lightweight_deletes_sync: 2,
  distributed_ddl_output_mode: 'throw',
  distributed_ddl_task_timeout: WRITE_SECONDS,
}

/** Settings of a read, also of one that checks a command, with its limits. */
export function readSettings(is_cluster: boolean, limits: StatementLimits = {}): RequestLimits {
  const { max_seconds = READ_SECONDS, max_memory_mb = READ_MEMORY_MB } = limits
  const own = { ...READER_SETTINGS, default_format: 'JSONColumns', cancel_http_readonly_queries_on_client_close: 1 }
  const threads = limits.max_threads === undefined ? {} : { max_threads: limits.max_threads }
  const of = { seconds: max_seconds, memory_bytes: max_memory_mb * MIB, rows_a_second: limits.max_rows_a_second }
  const settings = { ...requestSettings(is_cluster, of), ...own, ...threads, readonly: 1 }
  return { settings, seconds: max_seconds }
}

/** Settings of a write. */
export function writeSettings(is_cluster: boolean, limits: StatementLimits = {}): RequestLimits {
  const { max_seconds = WRITE_SECONDS, max_memory_mb = WRITE_MEMORY_MB } = limits
  const of = { seconds: max_seconds, memory_bytes: max_memory_mb * MIB, rows_a_second: limits.max_rows_a_second }
  const ofChanges = is_cluster ? changeSettings(max_seconds, limits.may_be_late === true) : {}
  const settings = { ...requestSettings(is_cluster, of), ...ofChanges, ...KEEP_ALIVE }
  return { settings, seconds: max_seconds }
}

/** How long a change waits for servers, and whether it fails where some have not made it by then. */
function changeSettings(max_seconds: number, may_be_late: boolean): RequestSettings {
  if (!may_be_late) return { distributed_ddl_task_timeout: max_seconds }
  // Sooner than the limit of the statement, at which it would fail.
  return {
    distributed_ddl_task_timeout: Math.ceil(max_seconds / 2),
    distributed_ddl_output_mode: 'null_status_on_timeout',
  }
}

function requestSettings(is_cluster: boolean, limits: SettingsOfLimits): RequestSettings {
  return {
    ...WHOLE_RESPONSES,
    ...SESSION_SETTINGS,
    ...(is_cluster ? CLUSTER_SETTINGS : {}),
    ...statementSettings(limits),
  }
}
