/** Every engine setting that answers or durability depend on, pinned in one place instead of the engine's defaults. */
import { totalmem } from 'node:os'
import { readFreeSpace } from './free-space.ts'

export interface EngineLimits {
  /** Cap of the engine in this process. */
  server_memory_bytes: number
  read_memory_bytes: number
  write_memory_bytes: number
  /** An insert that would leave less free space is refused, because a full disk makes even DROP fail. */
  min_free_disk_bytes: number
}

const MIB = 1024 * 1024
export const READ_SECONDS = 30
export const WRITE_SECONDS = 600

/** The limits for this machine; `memory_mb` 0 or absent takes 40 % of it, or of the container when that is smaller. */
export async function engineLimits(folder: string, memory_mb: number | undefined): Promise<EngineLimits> {
  const container = process.constrainedMemory()
  const machine = container > 0 ? Math.min(container, totalmem()) : totalmem()
  const server = memory_mb === undefined || memory_mb === 0 ? Math.floor(machine * 0.4) : memory_mb * MIB
  const { reserve_bytes } = await readFreeSpace(folder)
  return {
    server_memory_bytes: server,
    read_memory_bytes: Math.min(300 * MIB, Math.floor(server / 2)),
    write_memory_bytes: Math.min(400 * MIB, Math.floor(server / 2)),
    min_free_disk_bytes: reserve_bytes,
  }
}

/** Arguments of every session. Those of the server take effect with the first one. */
export function connectionArguments(limits: EngineLimits, backups: string): string[] {
  const server = {
    max_server_memory_usage: limits.server_memory_bytes,
    mark_cache_size: 256 * MIB,
    index_mark_cache_size: 64 * MIB,
    'backups.allowed_path': backups,
  }
  const session = {
    async_insert: 0,
    date_time_output_format: 'simple',
    // Identical keys lie in one month, because the day is a part of them.
    do_not_merge_across_partitions_select_final: 1,
    input_format_allow_errors_num: 0,
    insert_deduplicate: 0,
    join_use_nulls: 1,
    lightweight_deletes_sync: 2,
    max_query_size: 16 * MIB,
    min_free_disk_bytes_to_perform_insert: limits.min_free_disk_bytes,
    mutations_sync: 1,
    output_format_json_escape_forward_slashes: 0,
    output_format_json_quote_64bit_integers: 1,
    output_format_json_quote_denormals: 0,
    session_timezone: 'UTC',
    timeout_overflow_mode: 'throw',
  }
  return Object.entries({ ...server, ...session }).map(([name, value]) => `--${name}=${value}`)
}

/**
 * Of readers only: the fourth run of each shape of a statement would wait 20 to 90 ms for the compiler, which saves a
 * tenth of the time where millions of facts are read, and little elsewhere (docs/benchmarks.md).
 */
export const READER_SETTINGS = { compile_expressions: 0, compile_aggregate_expressions: 0 }

/** What a statement of this kind may use, as assignments for SET; sorting and grouping spill to disk at half of it. */
export function statementSettings(seconds: number, memory_bytes: number): Record<string, number> {
  return {
    max_execution_time: seconds,
    max_memory_usage: memory_bytes,
    max_bytes_before_external_group_by: Math.floor(memory_bytes / 2),
    max_bytes_before_external_sort: Math.floor(memory_bytes / 2),
  }
}
