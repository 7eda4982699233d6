/** The limits of the embedded engine, and the settings of its sessions. */
import { totalmem } from 'node:os'
import { readFreeSpace } from '../free-space.ts'
import { SESSION_SETTINGS, statementSettings } from '../statement-settings.ts'
import type { StatementLimits } from '../store.ts'

export interface EngineLimits {
  /** Memory limit of the engine in this process. */
  server_memory_bytes: number
  read_memory_bytes: number
  write_memory_bytes: number
  /** An insert that would leave less free space is refused, because a full disk makes even DROP fail. */
  min_free_disk_bytes: number
}

const MIB = 1024 * 1024

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

/** The arguments of every session. Server settings take effect with the first session. */
export function connectionArguments(limits: EngineLimits, backups: string): string[] {
  const server = {
    max_server_memory_usage: limits.server_memory_bytes,
    mark_cache_size: 256 * MIB,
    index_mark_cache_size: 64 * MIB,
    'backups.allowed_path': backups,
  }
  const session = { ...SESSION_SETTINGS, min_free_disk_bytes_to_perform_insert: limits.min_free_disk_bytes }
  return Object.entries({ ...server, ...session }).map(([name, value]) => `--${name}=${value}`)
}

/** The settings for the limits of a statement; the store's limits by default. */
export function limitsOf(limits: StatementLimits | undefined, seconds: number, memory: number): Record<string, number> {
  const own_memory = limits?.max_memory_mb
  return statementSettings({
    seconds: limits?.max_seconds ?? seconds,
    memory_bytes: own_memory === undefined ? memory : own_memory * MIB,
    rows_a_second: limits?.max_rows_a_second,
  })
}
