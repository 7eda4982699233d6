import { evidenceLayout, type Migration, migrateEvidence, readMigrations, refuseOlderLayout } from '../migrate.ts'
import type { EvidenceStore, ServerEvidence } from '../store.ts'
import { evidenceIdentity } from '../store-identity.ts'
import type { Turns } from '../turns.ts'
import { ClickHouseServer } from './server.ts'
import { ClickHouseStore } from './store.ts'

export interface ClickHouseOptions {
  /**
   * Of servers that hold the same evidence, such as `http://user:password@host:8123`; the first that answers is used.
   */
  urls: readonly string[]
  /**
   * The name of the cluster that they are parts of; null or absent: one server, or several that each hold everything.
   */
  cluster?: string | null
  /** Runs the migration while no other process runs one. */
  inTurn?: (migrate: () => Promise<void>) => Promise<void>
  /** Of all processes that write to these servers; left out, no other does. */
  turns?: Turns
  /** Another set of tables than the shipped one. */
  migrations?: readonly Migration[]
  /** Leave tables of an earlier release as they are, and open none. */
  only_current?: boolean
}

/** A store on one server, whatever layout it has; `url` of the answer holds neither user nor password. */
export function connectClickHouse(url: string, cluster: string | null): { url: string; store: EvidenceStore } {
  const server = new ClickHouseServer(url)
  return { url: server.url, store: new ClickHouseStore([server], cluster) }
}

/**
 * Opens the evidence store on ClickHouse servers and brings its tables up to date.
 * @throws EvidenceError unavailable: no server answers, or all refuse the user; newer_schema, older_schema.
 */
export async function openClickHouse(options: ClickHouseOptions): Promise<ServerEvidence> {
  const { urls, inTurn = (migrate) => migrate() } = options
  const migrations = options.migrations ?? (await readMigrations())
  const servers = urls.map((url) => new ClickHouseServer(url))
  const cluster = options.cluster ?? null
  const store = new ClickHouseStore(servers, cluster, options.turns)
  try {
    const names = servers.map(({ url }) => url).join(', ')
    if (options.only_current === true) await refuseOlderLayout(store, names, migrations.length)
    if ((await evidenceLayout(store)) !== migrations.length) {
      await inTurn(async () => {
        // Other turns are asked of the control store, which is busy with this one.
        const layout = new ClickHouseStore(servers, cluster)
        await migrateEvidence(layout, names, migrations)
        // Of two processes that drew one at the same time, each would keep its own.
        await evidenceIdentity(layout)
      })
    }
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}
