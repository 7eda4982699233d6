import { join } from 'node:path'
import type { QuotaStore } from './quota-store.ts'
import { openSqliteQuotas } from './sqlite-quotas.ts'

/** In the data folder, and in no backup: a restored installation counts anew. */
export const QUOTAS = 'quotas.sqlite'

/** Quotas beside the control store: in a file of their own, or in a table of the same database. */
export async function openQuotas(folder: string, database_url: string | null): Promise<QuotaStore> {
  if (database_url === null) return openSqliteQuotas(join(folder, QUOTAS))
  // Loaded only here: most installations have no server to speak to.
  const { openPostgresQuotas } = await import('./postgres-quotas.ts')
  return openPostgresQuotas(database_url)
}
