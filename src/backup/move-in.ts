/**
 * The last step of a restore: what was prepared beside the stores takes their place. A crash in the middle is finished
 * by the process that opens the folder next; one before this step leaves the folder as it was.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { syncFolderNow } from '#machine/sync-folder.ts'
import { CONTROL, EVIDENCE } from './manifest.ts'

/** Where a restore prepares, inside the data folder: that may be a mount of its own, which cannot be renamed. */
export const preparedFolder = (folder: string): string => join(folder, 'restore.partial')

/** The stores' files; a secret key beside them stays where it is. */
const STORES: readonly string[] = [`${CONTROL}-wal`, `${CONTROL}-shm`, CONTROL, EVIDENCE]

/** Whether a folder holds one of the stores. */
export function holdsStores(folder: string): boolean {
  return STORES.some((name) => existsSync(join(folder, name)))
}

/** Moves the stores of now into `aside` (null: there are none) and the prepared ones into their place. */
export function moveIn(folder: string, aside: string | null): void {
  const prepared = preparedFolder(folder)
  for (const name of readdirSync(prepared)) {
    if (!STORES.includes(name)) rmSync(join(prepared, name), { recursive: true, force: true })
  }
  syncFolders(prepared)
  // Its name appears with its content: half a mark would lead the next start astray.
  writeFileSync(join(prepared, 'ready.new'), JSON.stringify({ aside }), { mode: 0o600, flush: true })
  renameSync(join(prepared, 'ready.new'), join(prepared, READY))
  syncFolderNow(prepared)
  finishMove(folder)
}

/** Finishes a move that a crash broke off, or clears a restore that did not get so far. The folder must be locked. */
export function finishMove(folder: string): void {
  const prepared = preparedFolder(folder)
  if (!existsSync(prepared)) return
  const ready = join(prepared, READY)
  if (existsSync(ready)) {
    const { aside } = JSON.parse(readFileSync(ready, 'utf8')) as { aside: string | null }
    if (aside !== null) moveAside(folder, prepared, aside)
    for (const name of STORES) {
      if (existsSync(join(prepared, name))) renameSync(join(prepared, name), join(folder, name))
    }
    syncFolderNow(folder)
    rmSync(ready)
  }
  rmSync(prepared, { recursive: true, force: true })
  syncFolderNow(folder)
}

const READY = 'ready'

/** Only before the first prepared store has moved: from then on what lies in the folder is the restored one. */
function moveAside(folder: string, prepared: string, aside: string): void {
  if (!existsSync(join(prepared, EVIDENCE)) || !existsSync(join(prepared, CONTROL))) return
  mkdirSync(aside, { recursive: true, mode: 0o700 })
  for (const name of STORES) {
    if (existsSync(join(folder, name))) renameSync(join(folder, name), join(aside, name))
  }
  syncFolderNow(aside)
  syncFolderNow(folder)
}

function syncFolders(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) syncFolders(join(folder, entry.name))
  }
  syncFolderNow(folder)
}
