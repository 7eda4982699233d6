/** Which control store an installation has: a file of its folder, or a PostgreSQL database (decisions 8). */
import { join } from 'node:path'
import type { Logger } from 'pino'
import { CONTROL } from '#backup/manifest.ts'
import type { Config } from '#config.ts'
import { openSqliteControl } from '#control/sqlite.ts'
import type { ControlStore } from '#control/store.ts'
import { readMoveState } from '#move/move-state.ts'
import { refuseUnfinishedCopy } from '#move/target.ts'
import { WriteGate } from '#move/write-gate.ts'
import { checkSecretKey } from '#nodes/check-secret-key.ts'
import type { SharedClock } from '#nodes/shared-clock.ts'
import type { InstallationFolders } from './folders.ts'
import { refuseFarClock } from './refuse-far-clock.ts'
import { refuseEmptyControl, refuseMissingControl } from './refuse-lost-control.ts'

export interface ControlOptions {
  config: Config
  clock: SharedClock
  log: Logger
  is_clock_simulated: boolean
}

export interface OpenedControl {
  /** The store behind the gate, which everything but a move uses. */
  control: ControlStore
  /** The same store without the gate. */
  ungated: ControlStore
  gate: WriteGate
}

/**
 * Opens the control store and checks that it may be used with this folder, clock and secret key.
 * @throws Refusal conflict: it is lost, half copied, or of another key; invalid_input: the clock is too far ahead.
 */
export async function openControl(folders: InstallationFolders, options: ControlOptions): Promise<OpenedControl> {
  const { config, clock, log, is_clock_simulated } = options
  const { folder } = folders
  if (config.database_url === null) await refuseMissingControl(join(folder, CONTROL), folders)
  const ungated = await openStore(folder, config, log)
  const gate = new WriteGate(() => readMoveState(folder)?.phase === 'moved')
  const control = gate.ofControl(ungated)
  try {
    await refuseUnfinishedCopy(control)
    await refuseEmptyControl(control, folders)
    if (is_clock_simulated) await refuseFarClock(control, clock)
    if (config.clickhouse !== null) await checkSecretKey(control, config)
  } catch (error) {
    await control.close()
    throw error
  }
  return { control, ungated, gate }
}

/** The control store may be on a server; the folder and its lock stay for the embedded evidence. */
async function openStore(folder: string, { database_url }: Config, log: Logger): Promise<ControlStore> {
  if (database_url === null) return openSqliteControl(join(folder, CONTROL))
  // Loaded only here: most installations have no server.
  const { openPostgresControl } = await import('#control/postgres.ts')
  return openPostgresControl(database_url, {
    onTrouble: (message) => log.warn({ reason: message }, 'the control store does not answer'),
  })
}
