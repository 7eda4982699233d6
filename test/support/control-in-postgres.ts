/**
 * Control stores in PostgreSQL that are emptied and used again by the next test of the process, because making, opening
 * and dropping a database takes longer than most tests of one.
 */
import { type Kysely, sql } from 'kysely'
import { openPostgresControl } from '#control/postgres.ts'
import type { ControlStore } from '#control/store.ts'
import { createDatabase, type TestDatabase } from './postgres.ts'

type Rows = Record<string, unknown>[]

interface Spare {
  database: TestDatabase
  control: ControlStore
  /** What a new control store holds, by table. */
  blank: ReadonlyMap<string, Rows>
  layout: string
}

export interface LentControl {
  database: TestDatabase
  control: ControlStore
  /** Drops the database, unless it is blank again and its store was not closed. */
  giveBack(): Promise<void>
}

/** No test has it now. */
let spare: Spare | null = null

/** A blank control store for one test. */
export async function lendControl(): Promise<LentControl> {
  const lent = spare ?? (await make())
  spare = null
  let is_closed = false
  // A copy: some tests replace methods of a store.
  const control: ControlStore = {
    ...lent.control,
    close() {
      is_closed = true
      return lent.control.close()
    },
  }
  return {
    database: lent.database,
    control,
    async giveBack() {
      if (!is_closed && spare === null && (await isBlankAgain(lent))) spare = lent
      else {
        await lent.control.close()
        await lent.database.drop()
      }
    },
  }
}

async function make(): Promise<Spare> {
  const database = await createDatabase({ migrated: true, outlives_file: true })
  const control = await openPostgresControl(database.url)
  const db = anyTables(control)
  const tables = (await control.db.introspection.getTables()).map(({ name }) => name)
  const blank = new Map<string, Rows>()
  for (const table of tables) {
    const rows = isOfMigrations(table) ? [] : await db.selectFrom(table).selectAll().execute()
    if (rows.length > 0) blank.set(table, rows)
  }
  return { database, control, blank, layout: await readLayout(control) }
}

/** Empties it, unless a test has changed its layout or its server does not answer. */
async function isBlankAgain({ control, blank, layout }: Spare): Promise<boolean> {
  try {
    if ((await readLayout(control)) !== layout) return false
    await control.transaction(async (tx) => {
      // Tables refer to each other, and this way their order does not matter.
      await sql`SET LOCAL session_replication_role = replica`.execute(tx)
      await EMPTY_FILLED.execute(tx)
      for (const [table, rows] of blank) await anyTables({ db: tx }).insertInto(table).values(rows).execute()
    })
    return true
  } catch {
    // The next test gets a new one; why this one fails is for the test that broke it.
    return false
  }
}

const EMPTY_FILLED = sql`DO $$
  DECLARE filled text;
  BEGIN
    FOR filled IN
      SELECT oid::regclass::text FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname NOT LIKE 'kysely_%'
        AND pg_relation_size(oid) > 0
    LOOP
      EXECUTE 'DELETE FROM ' || filled;
    END LOOP;
  END $$`

/** Changes with every change of a table, an index or a column, and with every migration that is run. */
async function readLayout({ db }: ControlStore): Promise<string> {
  const { rows } = await sql<{ layout: string }>`
    SELECT md5(concat(
      (SELECT string_agg(oid::text || ':' || xmin::text, ',' ORDER BY oid) FROM pg_class
        WHERE relnamespace = 'public'::regnamespace),
      (SELECT string_agg(attrelid::text || ':' || xmin::text, ',' ORDER BY attrelid, attnum) FROM pg_attribute
        WHERE attrelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace)),
      (SELECT string_agg(name || timestamp, ',' ORDER BY name) FROM kysely_migration))) AS layout`.execute(db)
  return rows[0]?.layout ?? ''
}

const isOfMigrations = (table: string) => table.startsWith('kysely_')

const anyTables = ({ db }: { db: unknown }) => db as Kysely<Record<string, Record<string, unknown>>>
