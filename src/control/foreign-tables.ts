/** Which tables a database of PostgreSQL holds; refuses one with tables of another application. */
import type { Pool } from 'pg'
import { formatCount } from '#quantities.ts'
import { Refusal } from '#refusal.ts'
import { migrations } from './migrations/index.ts'

/** The names of the tables of the current schema, without views, and without tables of extensions. */
export const TABLES_OF_SCHEMA = `
  SELECT relname AS name FROM pg_class
  WHERE relnamespace = to_regnamespace(current_schema()) AND relkind IN ('r', 'p')
    AND NOT EXISTS (
      SELECT 1 FROM pg_depend
      WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e'
    )
  ORDER BY relname`

const MAX_NAMED = 3

/**
 * Call it before any table is created; `name` names the store. @throws Refusal not_readable: there are other tables.
 */
export async function refuseForeignTables(pool: Pick<Pool, 'query'>, name: string): Promise<void> {
  const found = await pool.query<{ name: string }>(TABLES_OF_SCHEMA)
  const tables = found.rows.map((row) => row.name)
  if (tables.length === 0) return
  if (tables.includes('kysely_migration')) {
    const done = await pool.query<{ name: string }>('SELECT name FROM kysely_migration')
    // Other programs with Kysely have a table of this name, too.
    if (done.rows.length === 0 || done.rows.some((row) => row.name in migrations)) return
  }
  const more = tables.length - MAX_NAMED
  const named = `${tables.slice(0, MAX_NAMED).join(', ')}${more > 0 ? ` and ${formatCount(more)} more` : ''}`
  throw new Refusal(
    'not_readable',
    `The database of the control store ${name} holds tables that are not Spoor's (${named}). Give Spoor a database of its own: ` +
      "CREATE DATABASE spoor ENCODING 'UTF8' TEMPLATE template0, and name it in SPOOR_DATABASE_URL. Nothing was changed.",
  )
}
