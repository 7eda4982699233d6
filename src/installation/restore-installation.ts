/** Wires a restore, the one work that needs two folders: the prepared stores of the backup, and those it replaces. */
import { resolve } from 'node:path'
import { markRecentDaysDirty } from '#backup/mark-dirty.ts'
import { type Restored, restoreBackup } from '#backup/restore.ts'
import { refuseDisk } from '#control/disk.ts'
import { migrations } from '#control/migrations/index.ts'
import { loadChdb } from '#evidence/chdb/load.ts'
import { readMigrations } from '#evidence/migrate.ts'
import { refuseMoved } from '#move/move-state.ts'
import { Refusal } from '#refusal.ts'
import type { InstallationOptions } from './installation.ts'
import { openInstallation } from './open-installation.ts'
import { refuseStore } from './refuse-store.ts'

/** Restores a backup into the data folder, which no other process may use during the restore (decisions 1). */
export async function restoreInstallation(
  options: InstallationOptions,
  input: { file: string; replace: boolean },
  onRead: (bytes: number) => void,
): Promise<Restored> {
  if (options.config.database_url !== null) {
    throw new Refusal(
      'not_built',
      'a restore replaces embedded stores: with SPOOR_DATABASE_URL the control store is PostgreSQL, which pg_restore puts back. Unset it to restore into SQLite; nothing was changed',
    )
  }
  // A folder that is marked as moved would not be opened after the restore.
  refuseMoved(resolve(options.config.data), options.config)
  const steps = await readMigrations()
  const { openChdb } = await loadChdb()
  return restoreBackup({
    ...input,
    ...options,
    folder: options.config.data,
    known: { control: Object.keys(migrations), evidence: steps.length },
    openEvidence: (folder, layout) =>
      openChdb({ folder, memory_mb: options.config.evidence_memory_mb, migrations: steps.slice(0, layout) }),
    async bringUpToDate(folder, created_at) {
      const prepared = await openInstallation({ ...options, config: { ...options.config, data: folder } })
      try {
        await markRecentDaysDirty(await prepared.crawlers(), created_at)
        return { sites: (await prepared.control.db.selectFrom('sites').select('id').execute()).length }
      } finally {
        await prepared.close()
      }
    },
    onRead,
  }).catch((error: unknown) => {
    throw refuseDisk(refuseStore(error, ' Nothing was changed.'))
  })
}
