/** Opens the engine on a folder: disables its signal handlers, then opens a session or reports why it cannot. */
import { accessSync, closeSync, constants, openSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Session } from 'chdb'
import { libchdbPath } from 'chdb/libchdb'
import koffi from 'koffi'
import { RAISE_OPEN_FILES } from '#machine/advice.ts'
import { readMaxOpenFiles } from '#machine/open-files.ts'
import { EvidenceError } from '../errors.ts'

let signals_are_quiet = false

/**
 * TRICKY: the engine's crash handler sleeps for 300 s, so a crashed service would hang instead of being restarted ("a
 * crash inside the process ends it"). Call it before the first session.
 */
export function quietSignals(): void {
  if (signals_are_quiet) return
  koffi.load(libchdbPath()).func('void chdb_set_signal_handlers_enabled(int)')(0)
  signals_are_quiet = true
}

/**
 * TRICKY: the engine appends pending data of the process's standard input to every INSERT with rows ("input piped
 * into the process is not read as rows"). This replaces file descriptor 0 with an empty file.
 */
function emptyStandardInput(): void {
  const nothing = openSync('/dev/null', 'r')
  koffi.load(null).func('int dup2(int, int)')(nothing, 0)
  closeSync(nothing)
}

/** Creates the folder of a store if it is missing. @throws EvidenceError unavailable: a file is in its place. */
export async function makeEvidenceFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
    throw new EvidenceError(
      'unavailable',
      `${folder} is not a folder, so it cannot hold the evidence: put the folder back, or restore a backup (docs/operating/backup.md).`,
      error,
    )
  })
}

const MIN_OPEN_FILES = 256

/** If the engine runs out of open files while it opens its tables, it ends the whole process. */
function refuseFewFiles(): void {
  const most = readMaxOpenFiles()
  if (most >= MIN_OPEN_FILES) return
  throw new EvidenceError(
    'unavailable',
    `At most ${most} files may be open at once, and the evidence store needs ${MIN_OPEN_FILES}. ${RAISE_OPEN_FILES}`,
  )
}

/**
 * Prepares the process for its first session. @throws EvidenceError unavailable: the limit of open files is too low.
 */
export function prepareProcess(): void {
  refuseFewFiles()
  quietSignals()
  emptyStandardInput()
}

/**
 * Opens a session on the folder. @throws EvidenceError locked: another process uses it; unavailable: it is unusable.
 */
export function openSession(folder: string, connectionArgs: readonly string[]): Session {
  try {
    return new Session(folder, { connectionArgs })
  } catch (error) {
    throw refusalToOpen(folder, error)
  }
}

function refusalToOpen(folder: string, error: unknown): EvidenceError {
  const message = error instanceof Error ? error.message : String(error)
  const holder = holderOf(folder)
  if (holder !== undefined || /only one active data directory/.test(message)) {
    const who =
      holder === undefined
        ? 'This process has another data folder open'
        : `Another Spoor process (${holder}) uses ${folder}`
    return new EvidenceError('locked', `${who}: stop it, or choose another folder with --data.`, error)
  }
  const closed = closedTo(folder, error)
  if (closed !== null) return closed
  return new EvidenceError(
    'unavailable',
    `The evidence store in ${folder} cannot be opened (${message.trim()}). Check the folder's permissions and free space, or restore a backup.`,
    error,
  )
}

/** Why this user cannot use the files of a folder; null: all files can be read, and all folders written. */
export function closedTo(folder: string, cause: unknown): EvidenceError | null {
  const path = findClosed(folder)
  if (path === null) return null
  return new EvidenceError(
    'unavailable',
    `${path} may not be read and written by this user. Run the command as the user of the service, or give that user everything in the data folder (chown -R).`,
    cause,
  )
}

/** The first folder or file that this user may not use. Some are there after a command that was run as root. */
function findClosed(folder: string): string | null {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name)
      if (entry.isFile()) accessSync(path, constants.R_OK)
      const closed = entry.isDirectory() ? findClosed(path) : null
      if (closed !== null) return closed
    }
    return null
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException
    return code === 'EACCES' && path !== undefined ? path : null
  }
}

/** The running process in the engine's status file; undefined if it has ended, for example after a crash. */
function holderOf(folder: string): string | undefined {
  const status = readStatus(join(folder, 'status'))
  const pid = /^PID: (\d+)$/m.exec(status)?.[1]
  if (pid === undefined || Number(pid) === process.pid) return undefined
  try {
    process.kill(Number(pid), 0)
    return pid
  } catch (error) {
    // A process of another user runs, but may not be signalled.
    return error instanceof Error && 'code' in error && error.code === 'EPERM' ? pid : undefined
  }
}

function readStatus(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** The engine would share a folder within one process, and closing one store would stop statements of the other. */
export const open_folders = new Set<string>()

/** @throws EvidenceError locked: this process already has a store open. */
export function refuseSecond(folder: string): void {
  const [open] = open_folders
  if (open === undefined) return
  throw new EvidenceError(
    'locked',
    `This process already has the evidence store in ${open} open: close it before ${folder}.`,
  )
}
