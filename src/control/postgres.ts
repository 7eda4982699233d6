import { Kysely } from 'kysely'
import type { Pool, QueryConfig } from 'pg'
import { Refusal } from '#refusal.ts'
import { refuseForeignTables } from './foreign-tables.ts'
import { migrateToLatest } from './migrate.ts'
import { postgresDialect, unavailable } from './postgres-driver.ts'
import { explainOpening, isLostConnection, mayRunAgain, nameOfServer } from './postgres-errors.ts'
import { openPool } from './postgres-pool.ts'
import { type ControlStore, controlStore } from './store.ts'
import type { ControlTables } from './tables.ts'

export interface PostgresOptions {
  /** Called with the reason why a connection was lost or not made, without the password. */
  onTrouble?: (message: string) => void
  /** The time limit of a statement, including the wait for other writers. */
  statement_ms?: number
}

/**
 * Opens the control store of a PostgreSQL database for any number of processes, and migrates it if needed (decisions
 * 8). If a connection breaks, its statements fail with Refusal store_busy; the next statement connects again.
 * @throws Refusal invalid_input: no PostgreSQL URL; not_readable: unreachable, forbidden, newer. Its message never has
 * the password.
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
      throw isLostConnection(error) ? unavailable(error, { name, onTrouble }) : error
    })
  return controlStore(database, () => database.destroy(), { mayRepeat: mayRunAgain, ping, server })
}

/** A short limit, so that a server that hangs does not delay `/readyz` for as long as a statement may take. */
async function pingServer(pool: Pool): Promise<void> {
  // The library's types lack the limit of a single query.
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
/** After the server's own limit and this time, the network is at fault, and the connection is given up. */
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
