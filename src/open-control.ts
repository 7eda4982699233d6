/** Which control store an installation has: a file of its folder, or a PostgreSQL database (decisions 8). */
import { join } from 'node:path'
import type { Logger } from 'pino'
import { CONTROL } from '#backup/manifest.ts'
import type { Config } from '#config.ts'
import { openSqliteControl } from '#control/sqlite.ts'
import type { ControlStore } from '#control/store.ts'

/** The control store may be on a server; the folder and its lock stay for the embedded evidence. */
export async function openControl(folder: string, { database_url }: Config, log: Logger): Promise<ControlStore> {
  if (database_url === null) return openSqliteControl(join(folder, CONTROL))
  // Loaded only here: most installations have no server to speak to.
  const { openPostgresControl } = await import('#control/postgres.ts')
  return openPostgresControl(database_url, {
    onTrouble: (message) => log.warn({ reason: message }, 'the control store does not answer'),
  })
}
