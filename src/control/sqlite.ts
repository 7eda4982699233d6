import { accessSync, chmodSync, closeSync, constants, existsSync, openSync } from 'node:fs'
import { backup, DatabaseSync, type SQLInputValue } from 'node:sqlite'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type TransactionSettings,
} from 'kysely'
import { Refusal } from '#refusal.ts'
import { refuseDisk } from './disk.ts'
import { migrateToLatest } from './migrate.ts'
import { PreparedStatements } from './prepared-statements.ts'
import { type ControlStore, controlStore } from './store.ts'
import type { ControlTables } from './tables.ts'

/**
 * Opens the embedded control store in an SQLite file. Creates it (mode 0600) and migrates it if needed. Everything
 * acknowledged is durable: WAL with synchronous=FULL (decisions 8).
 * @throws Refusal not_readable: no database, damaged, of a newer Spoor, or it cannot be opened.
 */
export async function openSqliteControl(file: string): Promise<ControlStore> {
  const sqlite = openFile(file)
  const database = new Kysely<ControlTables>({ dialect: sqliteDialect(sqlite) })
  const end = async () => {
    await database.connection().execute(async () => undefined)
    await database.destroy()
  }
  try {
    await migrateToLatest(database, `the control store ${file}`)
  } catch (error) {
    await end()
    throw error
  }
  // While this work holds the only connection, no transaction runs, so that the copy is of one instant.
  const copyTo = (copy: string) =>
    database.connection().execute(async () => {
      closeSync(openSync(copy, 'wx', 0o600))
      await backup(sqlite, copy).catch((error: unknown) => {
        throw refuseDisk(error)
      })
      deletePersonalData(copy)
    })
  // Deleted rows are overwritten in the file. Its log still has their pages, so it is emptied.
  const scrub = () =>
    database.connection().execute(async () => {
      sqlite.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    })
  return controlStore(database, end, { copyTo, scrub })
}

/** A backup may be kept for years; client addresses only for 7 days, and salts for their day (rules 4, 7). */
function deletePersonalData(copy: string): void {
  const sqlite = new DatabaseSync(copy)
  try {
    sqlite.exec('PRAGMA secure_delete = ON; DELETE FROM pending_addresses; DELETE FROM visitor_salts')
  } finally {
    sqlite.close()
  }
}

/** Kysely on an open database of node:sqlite: one connection; writers use BEGIN IMMEDIATE, snapshots BEGIN. */
export function sqliteDialect(sqlite: DatabaseSync): Dialect {
  return {
    createAdapter: () => new TransactionalSqliteAdapter(),
    createDriver: () => new NodeSqliteDriver(sqlite),
    createIntrospector: (database) => new SqliteIntrospector(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

function openFile(file: string): DatabaseSync {
  refuseForeign(file)
  let sqlite: DatabaseSync | undefined
  try {
    // Only a new file is opened here: closing an existing one would release the locks of this process on it.
    if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600))
    sqlite = new DatabaseSync(file, { enableForeignKeyConstraints: true, timeout: 5_000 })
    const verdict = sqlite.prepare('PRAGMA quick_check(1)').get()?.quick_check
    if (verdict !== 'ok') throw new Error(String(verdict))
    chmodSync(file, 0o600)
    sqlite.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON')
    return sqlite
  } catch (error) {
    sqlite?.close()
    const denied = refuseDisk(error)
    if (denied !== error) throw denied
    const cause = error instanceof Error ? error.message : String(error)
    throw new Refusal(
      'not_readable',
      `The control store ${file} cannot be opened (${cause}). Restore it from a backup, or choose another data folder with --data.`,
    )
  }
}

/**
 * Detects files of another user, for example after a command that was run as root: for them SQLite reports the same
 * error as for a read-only disk.
 * @throws Refusal not_readable.
 */
function refuseForeign(file: string): void {
  for (const part of ['', '-wal', '-shm'].map((suffix) => file + suffix)) {
    try {
      accessSync(part, constants.R_OK | constants.W_OK)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EACCES') continue
      throw new Refusal(
        'not_readable',
        `${part} may not be read and written by this user. Run the command as the user of the service, or give that user everything in the data folder (chown -R).`,
      )
    }
  }
}

class TransactionalSqliteAdapter extends SqliteAdapter {
  /** Kysely says false, but SQLite can: a failed migration must leave nothing behind. */
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

class NodeSqliteDriver implements Driver {
  readonly #sqlite: DatabaseSync
  readonly #statements: PreparedStatements
  constructor(sqlite: DatabaseSync) {
    this.#sqlite = sqlite
    this.#statements = new PreparedStatements(sqlite)
  }
  async init(): Promise<void> {}
  // Kysely's own mutex admits one holder at a time, because the adapter has a single connection.
  async acquireConnection(): Promise<NodeSqliteConnection> {
    return new NodeSqliteConnection(this.#sqlite, this.#statements)
  }
  async beginTransaction(connection: NodeSqliteConnection, settings: TransactionSettings): Promise<void> {
    connection.begin(settings.accessMode === 'read only')
  }
  async commitTransaction(connection: NodeSqliteConnection): Promise<void> {
    connection.end('COMMIT')
  }
  async rollbackTransaction(connection: NodeSqliteConnection): Promise<void> {
    connection.end('ROLLBACK')
  }
  async releaseConnection(connection: NodeSqliteConnection): Promise<void> {
    connection.release()
  }
  async destroy(): Promise<void> {
    this.#sqlite.close()
  }
}

class NodeSqliteConnection implements DatabaseConnection {
  readonly #sqlite: DatabaseSync
  #phase: 'single' | 'inside' | 'over' = 'single'
  #read_only = false
  readonly #statements: PreparedStatements
  constructor(sqlite: DatabaseSync, statements: PreparedStatements) {
    this.#sqlite = sqlite
    this.#statements = statements
  }
  begin(read_only: boolean): void {
    refusing(() => this.#sqlite.exec(read_only ? 'BEGIN; PRAGMA query_only = ON' : 'BEGIN IMMEDIATE'))
    this.#read_only = read_only
    this.#phase = 'inside'
  }
  end(how: 'COMMIT' | 'ROLLBACK'): void {
    // After some failures (disk full) SQLite has already rolled back; a second ROLLBACK would hide the first error.
    if (this.#sqlite.isTransaction || how === 'COMMIT') refusing(() => this.#sqlite.exec(how))
    if (this.#read_only) this.#sqlite.exec('PRAGMA query_only = OFF')
    this.#phase = 'over'
  }
  release(): void {
    this.#phase = 'over'
  }
  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    // TRICKY: Kysely runs a statement that was queued when its transaction rolled back, and SQLite rolls back by itself
    // on a full disk. Both would commit by themselves ("queued behind a failure", "SQLite itself has rolled back").
    if (this.#phase === 'over' || (this.#phase === 'inside' && !this.#sqlite.isTransaction)) {
      throw new Error('The transaction of this statement is over.')
    }
    const values = parameters as SQLInputValue[]
    const execute = () => {
      const { statement, has_rows } = this.#statements.prepare(sql)
      if (has_rows) return { rows: statement.all(...values).map((row) => ({ ...row }) as R) }
      return { rows: [], numAffectedRows: BigInt(statement.run(...values).changes) }
    }
    // A write inside a snapshot also fails as read-only, which is a bug and no fault of the disk.
    return this.#read_only ? execute() : refusing(execute)
  }
  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('The control store is not streamed.')
  }
}

function refusing<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw refuseDisk(error)
  }
}
