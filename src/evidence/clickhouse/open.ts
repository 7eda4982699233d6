import { evidenceLayout, type Migration, migrateEvidence, readMigrations, refuseOlderLayout } from '../migrate.ts'
import type { NamedLocks } from '../named-locks.ts'
import type { EvidenceStore, ServerEvidence } from '../store.ts'
import { evidenceIdentity, readIdentity } from '../store-identity.ts'
import { ClickHouseServer } from './server.ts'
import { ClickHouseStore } from './store.ts'

export interface ClickHouseOptions {
  /**
   * URLs of servers with the same evidence, such as `http://user:password@host:8123`; the first that answers is used.
   */
  urls: readonly string[]
  /**
   * The name of the cluster of the servers; null or absent: one server, or several that each have all rows.
   */
  cluster?: string | null
  /** Runs the migration while no other process runs one, and no import. */
  withMigrationLock?: (migrate: () => Promise<void>) => Promise<void>
  /** The locks of all processes that write to these servers; without them, no other process writes. */
  locks?: NamedLocks
  /** Migrations other than the built-in ones. */
  migrations?: readonly Migration[]
  /** Do not migrate: refuse a store with tables of an earlier release. */
  only_current?: boolean
  /** Called before tables of an earlier release are brought up to date; throws where they must stay as they are. */
  beforeUpgrade?: (store: EvidenceStore) => Promise<void>
}

/** Opens a store on one server with any layout. `url` of the result has neither user nor password. */
export function connectClickHouse(url: string, cluster: string | null): { url: string; store: EvidenceStore } {
  const server = new ClickHouseServer(url)
  return { url: server.url, store: new ClickHouseStore([server], cluster) }
}

/**
 * Opens the evidence store on ClickHouse servers and brings its tables up to date.
 * @throws EvidenceError unavailable: no server answers, or all refuse the user; newer_schema, older_schema.
 */
export async function openClickHouse(options: ClickHouseOptions): Promise<ServerEvidence> {
  const { urls, withMigrationLock = (migrate) => migrate() } = options
  const migrations = options.migrations ?? (await readMigrations())
  const servers = urls.map((url) => new ClickHouseServer(url))
  const cluster = options.cluster ?? null
  const store = new ClickHouseStore(servers, cluster, options.locks)
  try {
    const names = servers.map(({ url }) => url).join(', ')
    if (options.only_current === true) await refuseOlderLayout(store, names, migrations.length)
    const layout = await evidenceLayout(store)
    if (layout > 0 && layout < migrations.length) await options.beforeUpgrade?.(store)
    // A crash may have come between the last step of the layout and the identity.
    const is_whole =
      layout === migrations.length && (options.only_current === true || (await readIdentity(store)) !== null)
    if (!is_whole) {
      await withMigrationLock(async () => {
        // The migration takes no locks of its own: the transaction that holds this one keeps the control store busy.
        const own = new ClickHouseStore(servers, cluster)
        await migrateEvidence(own, names, migrations)
        // Two processes that generate an identity at the same time would each keep their own.
        await evidenceIdentity(own)
      })
    }
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}
