/** Copies a control store into an empty one of a server, in one transaction, and compares both (decisions 8.2). */

import { createHash } from 'node:crypto'
import { CompiledQuery, type Kysely, sql } from 'kysely'
import { TABLES_OF_SCHEMA } from '#control/foreign-tables.ts'
import { MOVING_FROM, writeSetting } from '#control/settings.ts'
import type { ControlDb, ControlStore, ControlTransaction } from '#control/store.ts'
import { formatCount } from '#quantities.ts'
import { Refusal } from '#refusal.ts'

export interface ControlTableTotal {
  table: string
  rows: number
  /** A hash of all rows, independent of their order: 12 hexadecimal digits. */
  hash: string
}

type Row = Record<string, unknown>
type AnyTables = Record<string, Row>

const ROWS_AT_ONCE = 1_000

/**
 * Replaces all rows of `target` by those of `source`, and marks the copy as not yet handed over. Nothing may write to
 * `source` meanwhile.
 * @throws Refusal conflict: the server stored other rows than it was sent; the transaction is rolled back.
 */
export async function copyControl(
  source: ControlStore,
  target: ControlStore,
  evidence_id: string,
  signal: AbortSignal,
): Promise<ControlTableTotal[]> {
  const tables = await tablesOf(source.db)
  return target.transaction(async (tx) => {
    const order = await parentsFirst(tx, tables)
    await emptyTables(tx, order)
    const totals: ControlTableTotal[] = []
    for (const table of order) {
      const given = new RowsHash()
      for await (const rows of rowsOf(source.db, table)) {
        signal.throwIfAborted()
        given.add(rows)
        await insertRows(tx, table, rows)
      }
      const stored = new RowsHash()
      for await (const rows of storedRows(tx, table)) stored.add(rows)
      if (given.text !== stored.text || given.rows !== stored.rows) {
        throw new Refusal(
          'conflict',
          `The target database holds ${formatCount(stored.rows)} rows of ${table} that differ from the ${formatCount(given.rows)} that were sent. Nothing was moved.`,
        )
      }
      totals.push({ table, rows: given.rows, hash: given.text })
    }
    await writeSetting(tx, MOVING_FROM, evidence_id)
    return totals.sort((one, other) => (one.table < other.table ? -1 : 1))
  })
}

/** Deletes every row of a control store in PostgreSQL; the layout stays, and so do views and tables of extensions. */
export async function emptyControl(target: ControlStore): Promise<void> {
  await target.transaction(async (tx) => {
    const { rows } = await tx.executeQuery<{ name: string }>(CompiledQuery.raw(TABLES_OF_SCHEMA))
    await emptyTables(tx, await parentsFirst(tx, ofControl(rows)))
  })
}

/** The tables of a control store in SQLite. */
const tablesOf = async (db: ControlDb): Promise<string[]> => ofControl(await db.introspection.getTables())

/** The names of the tables of a control store without its layout, and without quotas, which start again. */
const ofControl = (tables: readonly { name: string }[]): string[] =>
  tables.map(({ name }) => name).filter((name) => name !== 'quotas' && !/^(kysely|sqlite)_/.test(name))

async function emptyTables(tx: ControlTransaction, order: readonly string[]): Promise<void> {
  for (const table of order.toReversed()) await any(tx).deleteFrom(table).execute()
}

/** The tables in an order in which each follows the tables that it refers to. */
async function parentsFirst(tx: ControlTransaction, tables: readonly string[]): Promise<string[]> {
  const { rows: references } = await sql<{ child: string; parent: string }>`
    SELECT child.relname AS child, parent.relname AS parent
    FROM pg_constraint
    JOIN pg_class AS child ON child.oid = conrelid
    JOIN pg_class AS parent ON parent.oid = confrelid
    WHERE contype = 'f' AND conrelid <> confrelid`.execute(tx)
  const order: string[] = []
  const waiting = new Set(tables)
  while (waiting.size > 0) {
    const next = [...waiting].filter(
      (table) => !references.some(({ child, parent }) => child === table && waiting.has(parent)),
    )
    if (next.length === 0) throw new Error(`These tables refer to each other: ${[...waiting].join(', ')}.`)
    order.push(...next)
    for (const table of next) waiting.delete(table)
  }
  return order
}

/** The rows of a table of SQLite in pages, by rowid. */
async function* rowsOf(db: ControlDb, table: string): AsyncGenerator<Row[]> {
  for (let after = Number.MIN_SAFE_INTEGER; ; ) {
    const { rows } = await sql<Row & { row_number: number }>`
      SELECT *, rowid AS row_number FROM ${sql.table(table)}
      WHERE rowid > ${after} ORDER BY rowid LIMIT ${ROWS_AT_ONCE}`.execute(db)
    if (rows.length === 0) return
    after = (rows.at(-1) as { row_number: number }).row_number
    yield rows.map(({ row_number, ...row }) => row)
  }
}

/** Inserts rows as one JSON parameter, so that their number of columns is not limited. */
async function insertRows(tx: ControlTransaction, table: string, rows: readonly Row[]): Promise<void> {
  await sql`
    INSERT INTO ${sql.table(table)}
    SELECT * FROM json_populate_recordset(NULL::${sql.table(table)}, ${JSON.stringify(rows)}::json)`.execute(tx)
}

async function* storedRows(tx: ControlTransaction, table: string): AsyncGenerator<Row[]> {
  await sql`DECLARE moved NO SCROLL CURSOR FOR SELECT * FROM ${sql.table(table)}`.execute(tx)
  for (;;) {
    const { rows } = await sql<Row>`FETCH ${sql.raw(String(ROWS_AT_ONCE))} FROM moved`.execute(tx)
    if (rows.length === 0) break
    yield rows
  }
  await sql`CLOSE moved`.execute(tx)
}

/** A hash of rows that does not depend on their order. */
class RowsHash {
  rows = 0
  #sum = 0n

  add(rows: readonly Row[]): void {
    for (const row of rows) {
      const values = Object.keys(row)
        .sort()
        .map((name) => [name, row[name]])
      this.#sum += BigInt(`0x${createHash('sha256').update(JSON.stringify(values)).digest('hex').slice(0, 12)}`)
    }
    this.rows += rows.length
  }

  get text(): string {
    return (this.#sum % (1n << 48n)).toString(16).padStart(12, '0')
  }
}

const any = (db: ControlDb) => db as unknown as Kysely<AnyTables>
