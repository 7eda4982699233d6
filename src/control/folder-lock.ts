import { chmodSync, mkdirSync, readdirSync, type Stats, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { Refusal } from '#refusal.ts'
import { refuseDisk } from './disk.ts'

export interface FolderLock {
  readonly folder: string
  /** Releases the lock; it may be called twice. */
  release(): void
}

/**
 * Creates the data folder (mode 0700) if needed, and locks it against other processes until `release` or the end of
 * this process. The kernel holds the lock, so that kill -9 leaves none behind. Waits up to `wait_ms` for another
 * holder. TRICKY: no other code may open the file `lock`, because closing it would release the lock of this process
 * ("freed at kill -9").
 * @throws Refusal store_busy: another process holds the lock; not_readable: the folder cannot be created or written.
 */
export async function lockFolder(folder: string, { wait_ms = 0 }: { wait_ms?: number } = {}): Promise<FolderLock> {
  const file = makeLockFile(folder)
  for (let waited = 0; ; waited += WAIT_STEP_MS) {
    const held = takeLock(file, folder)
    if (held !== null) return { folder, release: () => held.isOpen && held.close() }
    if (waited >= wait_ms) break
    await wait(Math.min(WAIT_STEP_MS, wait_ms - waited))
  }
  throw folderInUse(folder)
}

/** The refusal for a folder that another process has locked. */
export function folderInUse(folder: string): Refusal {
  return new Refusal(
    'store_busy',
    `Another Spoor process uses the data folder ${folder}. Stop it first, or choose another folder with --data.`,
  )
}

const WAIT_STEP_MS = 50
const SQLITE_BUSY = 5

function makeLockFile(folder: string): string {
  const file = join(folder, 'lock')
  try {
    makeFolder(folder)
    if (isOurs(folder)) chmodSync(folder, 0o700)
    return file
  } catch (error) {
    throw refuseFolder(folder, error)
  }
}

/** TRICKY: `recursive` never returns if a folder cannot be created, as in /proc ("that cannot be made"). */
function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false }) !== undefined) return
  makeFolder(dirname(folder))
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another process may have created it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** Whether the folder is Spoor's. A folder with other files keeps its mode; the files created here have their own. */
function isOurs(folder: string): boolean {
  const names = readdirSync(folder)
  return names.length === 0 || names.includes('control.sqlite')
}

/** Locks the file; null: another process, or another lock of this one, holds it. */
function takeLock(file: string, folder: string): DatabaseSync | null {
  let held: DatabaseSync | undefined
  try {
    held = new DatabaseSync(file)
    held.exec('BEGIN EXCLUSIVE')
    chmodSync(file, 0o600)
    return held
  } catch (error) {
    held?.close()
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) return null
    throw refuseFolder(folder, error)
  }
}

/**
 * The refusal for a path that is a file or below one. Null if its nearest existing part is a folder, or cannot be read.
 */
export function refuseNonFolder(folder: string): Refusal | null {
  for (let place = folder; ; place = dirname(place)) {
    const stats = statsOf(place)
    if (stats?.isDirectory() || place === dirname(place)) return null
    if (stats === null) continue
    const kind = stats.isFile() ? 'a file' : 'not a folder'
    const why = place === folder ? 'and the data folder must be a folder' : `so ${folder} cannot be the data folder`
    return new Refusal('not_readable', `${place} is ${kind}, ${why}. Name a folder with --data or SPOOR_DATA.`)
  }
}

/** Null if the path does not exist or cannot be read. */
function statsOf(place: string): Stats | null {
  try {
    return statSync(place, { throwIfNoEntry: false }) ?? null
  } catch {
    return null
  }
}

function refuseFolder(folder: string, error: unknown): Refusal {
  const misnamed = refuseNonFolder(folder)
  if (misnamed !== null) return misnamed
  const denied = refuseDisk(error)
  if (denied instanceof Refusal) return denied
  const cause = error instanceof Error ? error.message : String(error)
  return new Refusal(
    'not_readable',
    `The data folder ${folder} cannot be used (${cause}). It must be a folder that this user may write: run the command as the user of the service, or choose another with --data.`,
  )
}
