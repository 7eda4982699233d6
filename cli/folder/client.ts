/** How a command uses its data folder: through the server that runs on it, or directly (decisions 1). */
import { resolve } from 'node:path'
import type { BackupStream } from '#backup/take.ts'
import { systemClock } from '#clock.ts'
import type { Config } from '#config.ts'
import type { ManagementInput, ManagementOperationId, ManagementOutput } from '#contract/management-api/index.ts'
import { folderInUse } from '#control/folder-lock.ts'
import type { MayCreate } from '#installation/missing-installation.ts'
import type { ImportProgress } from '#intake/import/import-log.ts'
import type { LogImportInput } from '#intake/import/import-options.ts'
import type { ImportReceipt } from '#intake/import/receipt.ts'
import type { MoveRun } from '#move/move-source.ts'
import type { MoveReport } from '#move/report.ts'
import type { TargetSettings } from '#move/target.ts'
import { Refusal } from '#refusal.ts'
import { askServer, askToMove, fetchBackup, sendLog, serverListens } from '#surfaces/operator/socket-client.ts'
import { socketPath } from '#surfaces/operator/socket-path.ts'
import type { Log } from '../input/log-file.ts'
import { note, noteJson } from '../output.ts'
import { holdsOtherFiles, holdsSpoorData, lacksSpoorData } from './data-folder.ts'

/** How long a command waits for a folder that another process holds without serving it, and may be about to release. */
export const FOLDER_WAIT_MS = 10_000
const STEP_MS = 250

/** Carries out one operation of the management API and returns its answer. @throws Refusal */
export type RunOperation = <Id extends ManagementOperationId>(
  id: Id,
  input: ManagementInput<Id>,
) => Promise<ManagementOutput<Id>>

export interface FolderClient {
  run: RunOperation
  importLog(request: LogImportInput, log: Log, onProgress: (progress: ImportProgress) => void): Promise<ImportReceipt>
  /** `signal` stops waiting for a server; `take` must check it itself. */
  backup<T>(take: (archive: BackupStream) => Promise<T>, signal: AbortSignal): Promise<T>
  /** Moves the stores to servers; the `signal` of the run stops it. */
  moveTo(settings: TargetSettings, run: MoveRun): Promise<MoveReport>
  close(): Promise<void>
}

/**
 * Connects to the server of the folder, or opens the folder; the caller closes it. `clock_at` sets the clock of a
 * folder that is opened here.
 */
export async function openClient(
  config: Config,
  clock_at?: number,
  may_create: MayCreate = 'all',
): Promise<FolderClient> {
  const clock = systemClock(clock_at)
  const is_clock_simulated = clock_at !== undefined
  const path = socketPath(config.data)
  for (let waited = 0; ; waited += STEP_MS) {
    if (await serverListens(path)) return clientOfServer(path)
    // Stores and engine are loaded only if they are needed, because most commands use a server.
    const { openFolder } = await import('./open-folder.ts')
    try {
      return await openFolder({ config, clock, is_clock_simulated, may_create, wait_ms: STEP_MS })
    } catch (error) {
      const busy = error instanceof Refusal && error.kind === 'store_busy'
      if (!busy || waited >= FOLDER_WAIT_MS) throw error
    }
  }
}

/**
 * The same for the folder that a command found. A command that writes creates the folder that an explicit `--data`
 * names, and prints a message about it.
 * @throws Refusal conflict: the folder has files of other programs, and no stores are created in it.
 * MissingInstallation.
 */
export async function openLocated(config: Config, json: boolean, may_create: MayCreate = 'all'): Promise<FolderClient> {
  const was_there = holdsInstallation(config)
  if (!was_there && holdsOtherFiles(config.data))
    throw new Refusal(
      'conflict',
      `${resolve(config.data)} holds other files and no Spoor data. Name the data folder with --data, or a folder that is empty or does not exist yet.`,
    )
  const client = await openClient(config, undefined, may_create)
  const is_new = !was_there && holdsInstallation(config)
  if (is_new && json) noteJson({ notice: { kind: 'data_folder_made', data_folder: config.data } })
  else if (is_new)
    note(`Made a new, empty data folder: ${config.data}. If you meant another one, correct --data and delete it.`)
  return client
}

/**
 * What a command may create that needs an installation. If the control store is in a database, the folder may be
 * missing, and is created.
 */
export const mayCreateIn = (config: Config): MayCreate =>
  config.database_url === null && !holdsInstallation(config) ? 'upgrade' : 'all'

/** Whether the folder belongs to an installation; with a control store in a database, it may contain only a lock. */
const holdsInstallation = ({ data, database_url }: Pick<Config, 'data' | 'database_url'>): boolean =>
  database_url === null ? !lacksSpoorData(data) : holdsSpoorData(data)

/** For commands that cannot use a running server: serving and restoring. */
export async function refuseServed({ data }: Config): Promise<void> {
  if (await serverListens(socketPath(data))) throw folderInUse(resolve(data))
}

function clientOfServer(path: string): FolderClient {
  return {
    run: (id, input) => askServer(path, id, input) as Promise<ManagementOutput<typeof id>>,
    importLog: (request, log, onProgress) => sendLog(path, request, log.stream(), onProgress),
    backup: (take, signal) => fetchBackup(path, take, signal),
    moveTo: (settings, run) => askToMove(path, settings, run),
    async close() {},
  }
}
