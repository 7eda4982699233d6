/** Which evidence store an installation has: the embedded one, or ClickHouse servers (decisions 8). */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Config } from '#config.ts'
import { nameOfServer } from '#control/postgres-errors.ts'
import type { ControlStore } from '#control/store.ts'
import { loadChdb } from '#evidence/chdb/load.ts'
import type { NamedLocks } from '#evidence/named-locks.ts'
import type { EmbeddedEvidence, EvidenceStore } from '#evidence/store.ts'
import { openServers } from '#nodes/open-servers.ts'
import { Refusal } from '#refusal.ts'
import { evidenceElsewhere, type MayCreate, MissingInstallation } from './missing-installation.ts'

export interface OpenedEvidence {
  store: EvidenceStore
  /** The same store where it is embedded, so that its files can be backed up; null on servers. */
  embedded: EmbeddedEvidence | null
}

/**
 * Opens the configured evidence store with the newest layout; `folder` is where an embedded one is, `locks` are those
 * of all processes that write to servers.
 * @throws EvidenceError locked, unavailable, newer_schema, older_schema; MissingInstallation.
 */
export async function openEvidence(
  config: Config,
  {
    folder,
    control,
    locks,
    may_create = 'all',
  }: { folder: string; control: ControlStore; locks: NamedLocks; may_create?: MayCreate },
): Promise<OpenedEvidence> {
  const only_current = may_create === 'nothing'
  if (config.clickhouse !== null)
    return { store: await openServers(config.clickhouse, control, { locks, only_current }), embedded: null }
  if (may_create !== 'all' && !existsSync(folder)) {
    throw config.database_url === null
      ? new MissingInstallation(`${folder} does not exist`)
      : evidenceElsewhere(nameOfServer(config.database_url), resolve(config.data))
  }
  const { openChdb } = await loadChdb()
  const embedded = await openChdb({ folder, memory_mb: config.evidence_memory_mb, only_current })
  return { store: embedded, embedded }
}

/** @throws Refusal not_built: the files of a server are not Spoor's to copy. */
export function embeddedOnly({ embedded }: Pick<OpenedEvidence, 'embedded'>): EmbeddedEvidence {
  if (embedded !== null) return embedded
  throw new Refusal(
    'not_built',
    'The evidence is on ClickHouse servers (SPOOR_CLICKHOUSE_URL), whose files Spoor does not copy: back it up there ' +
      "with ClickHouse's BACKUP, and the control store with pg_dump before it (docs/operating/clickhouse.md).",
  )
}
