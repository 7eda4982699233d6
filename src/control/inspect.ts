/** Reads the content of a control store without creating, migrating or binding it, for checks. */
import { DatabaseSync } from 'node:sqlite'
import { refuseForeignTables } from './foreign-tables.ts'
import { migrations } from './migrations/index.ts'
import { explainOpening, nameOfServer } from './postgres-errors.ts'

/** The state of a control store. */
export interface InspectedControl {
  /** Whether it contains an installation. */
  is_installed: boolean
  /** The evidence store that it belongs to; null: none yet. */
  evidence_id: string | null
  /** Migrations that it lacks. */
  pending: readonly string[]
}

type Query = (statement: string) => Promise<readonly Record<string, unknown>[]>

/** Inspects an existing SQLite file; null: it cannot be read, and opening it reports the reason. */
export async function inspectSqliteControl(file: string): Promise<InspectedControl | null> {
  let sqlite: DatabaseSync | undefined
  try {
    const opened = new DatabaseSync(file, { readOnly: true, timeout: 5_000 })
    sqlite = opened
    return await inspect("SELECT 1 FROM sqlite_master WHERE name = 'kysely_migration'", async (statement) =>
      opened.prepare(statement).all(),
    )
  } catch {
    return null
  } finally {
    sqlite?.close()
  }
}

/** Inspects a PostgreSQL database. @throws Refusal not_readable: it cannot be reached or read. */
export async function inspectPostgresControl(url: string): Promise<InspectedControl> {
  const name = nameOfServer(url)
  // Loaded only here, because most installations have no server.
  const { openPool } = await import('./postgres-pool.ts')
  const pool = openPool(url, { max: 1, answer_ms: ANSWER_MS })
  pool.on('error', () => {})
  try {
    await refuseForeignTables(pool, name)
    return await inspect("SELECT 1 WHERE to_regclass('kysely_migration') IS NOT NULL", async (statement) => {
      const { rows } = await pool.query<Record<string, unknown>>(statement)
      return rows
    })
  } catch (error) {
    throw explainOpening(error, name)
  } finally {
    await pool.end()
  }
}

const ANSWER_MS = 10_000

async function inspect(hasLayout: string, query: Query): Promise<InspectedControl> {
  const known = Object.keys(migrations)
  if ((await query(hasLayout)).length === 0) return { is_installed: false, evidence_id: null, pending: known }
  const done = (await query('SELECT name FROM kysely_migration')).map(({ name }) => name)
  const pending = known.filter((name) => !done.includes(name))
  if (!done.includes(known[0])) return { is_installed: false, evidence_id: null, pending }
  const stored = await query("SELECT name, value FROM settings WHERE name IN ('installation_id', 'evidence_id')")
  const evidence_id = stored.find(({ name }) => name === 'evidence_id')?.value ?? null
  return {
    is_installed: stored.some(({ name }) => name === 'installation_id'),
    evidence_id: evidence_id === null ? null : String(evidence_id),
    pending,
  }
}
