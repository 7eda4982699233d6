/** Evidence on ClickHouse servers, which all nodes of an installation share (decisions 8). */
import { sql } from 'kysely'
import type { ClickHouseConfig } from '#config.ts'
import type { ControlStore, ControlTransaction } from '#control/store.ts'
import type { ClickHouseOptions } from '#evidence/clickhouse/open.ts'
import { IMPORT_LOCK, type NamedLocks, processLocks } from '#evidence/named-locks.ts'
import type { ServerEvidence } from '#evidence/store.ts'

/**
 * Opens the evidence store on servers, with the newest layout. `control` holds the lock for migrations. `locks` are
 * those of all processes that write to the servers; without them, no other process writes. A migration waits for a
 * running import, because it could remove rows that a node of the previous release has staged.
 * @throws EvidenceError unavailable, newer_schema; what `beforeUpgrade` throws.
 */
export async function openServers(
  { urls, cluster }: ClickHouseConfig,
  control: ControlStore,
  {
    locks = processLocks(),
    ...upgrade
  }: Pick<ClickHouseOptions, 'beforeUpgrade' | 'only_current'> & { locks?: NamedLocks } = {},
): Promise<ServerEvidence> {
  const { openClickHouse } = await import('#evidence/clickhouse/open.ts')
  return openClickHouse({
    urls,
    cluster,
    locks,
    ...upgrade,
    withMigrationLock: (migrate) => locks.run(IMPORT_LOCK, () => control.transaction((trx) => whileHeld(trx, migrate))),
  })
}

const KEEP_ALIVE_MS = 5_000

/** Runs `work` while a transaction stays open: PostgreSQL ends one that sends no statement for 15 s. */
async function whileHeld(trx: ControlTransaction, work: () => Promise<void>): Promise<void> {
  let sent = Promise.resolve()
  const ping = () => sql`SELECT 1`.execute(trx).then(() => {})
  const keepAlive = setInterval(() => {
    sent = sent.then(ping)
    // The error is thrown below; an unhandled rejection would end the process.
    sent.catch(() => {})
  }, KEEP_ALIVE_MS)
  try {
    await work()
  } finally {
    clearInterval(keepAlive)
    await sent
  }
}
