import { Kysely } from 'kysely'
import type { Pool, QueryConfig } from 'pg'
import { Refusal } from '#refusal.ts'
import { refuseForeignTables } from './foreign-tables.ts'
import { migrateToLatest } from './migrate.ts'
import { postgresDialect, troubled } from './postgres-driver.ts'
import { explainOpening, isLostConnection, maySimplyRunAgain, nameOfServer } from './postgres-errors.ts'
import { openPool } from './postgres-pool.ts'
import { type ControlStore, controlStore } from './store.ts'
import type { ControlTables } from './tables.ts'

export interface PostgresOptions {
  /** Is called with the reason why a connection was lost or not made; it never holds the password. */
  onTrouble?: (message: string) => void
  /** How long one statement may take, the wait for other writers included. */
  statement_ms?: number
}

/**
 * Opens the control store of a PostgreSQL database, migrated when needed, for any number of processes at once
 * (decisions 8). A connection that breaks fails what ran on it as Refusal store_busy; the next statement connects anew.
 * @throws Refusal invalid_input: no PostgreSQL URL; not_readable: unreachable, forbidden, newer. Never names the
 * password.
 */
export async function openPostgresControl(url: string, options: PostgresOptions = {}): Promise<ControlStore> {
  const name = nameOfServer(url)
  const { onTrouble = () => {}, statement_ms = STATEMENT_MS } = options
  await prepare(url, name)
  const pool = openPool(url, { max: CONNECTIONS, answer_ms: statement_ms + NETWORK_GRACE_MS })
  // An idle connection that breaks is replaced by the pool itself; without a listener it would end the process.
  pool.on('error', (error) => onTrouble(error.message))
  const database = new Kysely<ControlTables>({ dialect: postgresDialect(pool, { name, onTrouble, statement_ms }) })
  const server = () => askServer(pool)
  const ping = () =>
    pingServer(pool).catch((error: unknown) => {
      throw isLostConnection(error) ? troubled(error, { name, onTrouble }) : error
    })
  return controlStore(database, () => database.destroy(), { mayRepeat: maySimplyRunAgain, ping, server })
}

/** A server that hangs must not keep `/readyz` waiting for as long as a statement may take. */
async function pingServer(pool: Pool): Promise<void> {
  // Its types do not know that a query may have a limit of its own.
  const question: QueryConfig & { query_timeout: number } = {
    text: 'SELECT name FROM settings LIMIT 1',
    query_timeout: PING_MS,
  }
  await pool.query(question)
}

async function askServer(pool: Pool): Promise<{ version: string; now: number }> {
  const { rows } = await pool.query<{ version: string; now: string }>(
    "SELECT current_setting('server_version') AS version, extract(epoch FROM clock_timestamp()) * 1000 AS now",
  )
  const [row] = rows
  if (row === undefined) throw new Error('the server did not say which it is')
  return { version: row.version, now: Math.round(Number(row.now)) }
}

const CONNECTIONS = 10
const PING_MS = 5_000
const STATEMENT_MS = 30_000
const MIGRATION_MS = 600_000
/** Past the server's own limit the network is at fault, and the connection is given up. */
const NETWORK_GRACE_MS = 5_000

/** Checks the server and migrates the layout in one writing transaction, so that two starts do not collide. */
async function prepare(url: string, name: string): Promise<void> {
  const pool = openPool(url, { max: 1, answer_ms: MIGRATION_MS + NETWORK_GRACE_MS })
  pool.on('error', () => {})
  const database = new Kysely<ControlTables>({ dialect: postgresDialect(pool, { name, statement_ms: MIGRATION_MS }) })
  try {
    await checkServer(pool, name)
    await refuseForeignTables(pool, name)
    await database.transaction().execute((trx) => migrateToLatest(trx, `the control store ${name}`))
  } catch (error) {
    throw explainOpening(error, name)
  } finally {
    await pool.end()
  }
}

async function checkServer(pool: Pool, name: string): Promise<void> {
  const { rows } = await pool.query<{ encoding: string }>(`SELECT current_setting('server_encoding') AS encoding`)
  const encoding = rows[0]?.encoding
  if (encoding === 'UTF8') return
  throw new Refusal(
    'not_readable',
    `The database of the control store ${name} keeps text as ${encoding}. Create one with ENCODING 'UTF8' TEMPLATE template0.`,
  )
}
