/**
 * The last step of a restore: the prepared stores replace the existing ones. After a crash in this step, the next
 * process that opens the folder finishes it; a crash before leaves the folder unchanged.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { QUOTAS } from '#control/quotas/open-quotas.ts'
import { syncFolderNow } from '#machine/sync-folder.ts'
import { CONTROL, EVIDENCE } from './manifest.ts'

/** The folder of prepared stores. It is inside the data folder, which may be a mount and could not be renamed. */
export const preparedFolder = (folder: string): string => join(folder, 'restore.partial')

/** The files of the stores; the secret key stays where it is. */
const STORES: readonly string[] = [`${CONTROL}-wal`, `${CONTROL}-shm`, CONTROL, EVIDENCE]

/** What is moved aside with them: counts of requests begin at zero after a restore (account API 5). */
const ASIDE: readonly string[] = [...STORES, `${QUOTAS}-wal`, `${QUOTAS}-shm`, QUOTAS]

/** Whether a folder holds one of the stores. */
export function holdsStores(folder: string): boolean {
  return STORES.some((name) => existsSync(join(folder, name)))
}

/** Moves existing stores into the folder `aside` (null if none exist), and the prepared ones into their place. */
export function moveIn(folder: string, aside: string | null): void {
  const prepared = preparedFolder(folder)
  for (const name of readdirSync(prepared)) {
    if (!STORES.includes(name)) rmSync(join(prepared, name), { recursive: true, force: true })
  }
  syncFolders(prepared)
  // Renamed into place, because the next start must not read a part of the mark.
  writeFileSync(join(prepared, 'ready.new'), JSON.stringify({ aside }), { mode: 0o600, flush: true })
  renameSync(join(prepared, 'ready.new'), join(prepared, READY))
  syncFolderNow(prepared)
  finishMove(folder)
}

/** Finishes an interrupted last step, or deletes an unfinished restore. The folder must be locked. */
export function finishMove(folder: string): void {
  const prepared = preparedFolder(folder)
  if (!existsSync(prepared)) return
  const ready = join(prepared, READY)
  if (existsSync(ready)) {
    const { aside } = JSON.parse(readFileSync(ready, 'utf8')) as { aside: string | null }
    if (aside !== null) moveExistingAside(folder, prepared, aside)
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

/** Moves the existing stores aside, unless a prepared store is already in place. */
function moveExistingAside(folder: string, prepared: string, aside: string): void {
  if (!existsSync(join(prepared, EVIDENCE)) || !existsSync(join(prepared, CONTROL))) return
  mkdirSync(aside, { recursive: true, mode: 0o700 })
  for (const name of ASIDE) {
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
