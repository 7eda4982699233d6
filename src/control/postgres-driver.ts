import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  type TransactionSettings,
} from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { Refusal } from '#refusal.ts'
import { isAborted, isLostConnection, isTooSlow } from './postgres-errors.ts'

/**
 * Kysely on a pool of PostgreSQL connections. Transactions that write take turns, in all processes on the database, by one
 * advisory lock that ends with the transaction: what holds on SQLite's single writer then holds here, word for word.
 * Snapshots are repeatable read and wait for nobody.
 */
export function postgresDialect(pool: Pool, onTrouble: (message: string) => void): Dialect {
  return {
    createAdapter: () => new TurnTakingAdapter(),
    createDriver: () => new PoolDriver(pool, onTrouble),
    createIntrospector: (database) => new PostgresIntrospector(database),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
}

/** The key of the writers' turn among the advisory locks of the database. */
const TURN = '5820394417263051'
// TRICKY: read committed, because the lock must come before what is read: a snapshot taken while waiting for the turn would show
// the state before the other writer's commit ("concurrent transactions do not see or undo one another").
const BEGIN_WRITING = `BEGIN ISOLATION LEVEL READ COMMITTED; SELECT pg_advisory_xact_lock(${TURN})`
const BEGIN_READING = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'

class TurnTakingAdapter extends PostgresAdapter {
  /** Migrations run in a writing transaction, whose turn keeps other starts out already. */
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

class PoolDriver implements Driver {
  readonly #pool: Pool
  readonly #onTrouble: (message: string) => void
  constructor(pool: Pool, onTrouble: (message: string) => void) {
    this.#pool = pool
    this.#onTrouble = onTrouble
  }
  async init(): Promise<void> {}
  async acquireConnection(): Promise<PooledConnection> {
    const client = await this.#pool.connect().catch((error: unknown) => {
      throw this.#pool.ending ? error : troubled(error, this.#onTrouble)
    })
    return new PooledConnection(client, this.#onTrouble)
  }
  async beginTransaction(connection: PooledConnection, settings: TransactionSettings): Promise<void> {
    await connection.begin(settings.accessMode === 'read only')
  }
  async commitTransaction(connection: PooledConnection): Promise<void> {
    await connection.end('COMMIT')
  }
  async rollbackTransaction(connection: PooledConnection): Promise<void> {
    await connection.end('ROLLBACK')
  }
  async releaseConnection(connection: PooledConnection): Promise<void> {
    connection.release()
  }
  async destroy(): Promise<void> {
    if (!this.#pool.ending) await this.#pool.end()
  }
}

class PooledConnection implements DatabaseConnection {
  readonly #client: PoolClient
  readonly #onTrouble: (message: string) => void
  #phase: 'open' | 'over' = 'open'
  #lost = false
  #failure: unknown
  /** One statement at a time: the server would queue them too, but a queue of ours can still refuse. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(client: PoolClient, onTrouble: (message: string) => void) {
    this.#client = client
    this.#onTrouble = onTrouble
    client.on('error', this.#noteLost)
  }

  async begin(read_only: boolean): Promise<void> {
    try {
      await this.#inOrder(() => this.#query(read_only ? BEGIN_READING : BEGIN_WRITING))
    } catch (error) {
      // Kysely rolls back only what began: a turn that was not had leaves a transaction open, so the connection goes.
      this.#lost = true
      throw error
    }
  }

  async end(how: 'COMMIT' | 'ROLLBACK'): Promise<void> {
    await this.#inOrder(async () => {
      this.#phase = 'over'
      // The server takes back by itself what a broken connection left open.
      if (this.#lost && how === 'ROLLBACK') return
      const { command } = await this.#query(how)
      if (command !== how) throw new Error('A statement of this transaction had failed, so all of it was taken back.')
    })
  }

  release(): void {
    this.#phase = 'over'
    this.#client.off('error', this.#noteLost)
    this.#client.release(this.#lost)
  }

  executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    return this.#inOrder(async () => {
      // TRICKY: Kysely lets a statement through that was queued when its transaction rolled back; on a connection that is
      // back in the pool it would commit alone ("queued behind a failure").
      if (this.#phase === 'over') throw new Error('The transaction of this statement is over.')
      const { command, rowCount, rows } = await this.#query(sql, parameters)
      const writes = command === 'INSERT' || command === 'UPDATE' || command === 'DELETE'
      return { rows, ...(writes && rowCount !== null ? { numAffectedRows: BigInt(rowCount) } : {}) }
    })
  }

  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('The control store is not streamed.')
  }

  async #query(text: string, parameters?: readonly unknown[]) {
    try {
      return await (parameters === undefined ? this.#client.query(text) : this.#client.query(text, [...parameters]))
    } catch (error) {
      // After a failed statement the server only says that it goes on with nothing; the reason is what failed first.
      if (isAborted(error) && this.#failure !== undefined) throw this.#failure
      this.#failure = error
      if (isLostConnection(error)) this.#lost = true
      else if (!isTooSlow(error)) throw error
      throw troubled(error, this.#onTrouble)
    }
  }

  #inOrder<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work)
    this.#last = turn.catch(() => {})
    return turn
  }

  readonly #noteLost = (): void => {
    this.#lost = true
  }
}

/** The reason is the operator's to see; whoever asked learns only that a later request may be answered. */
function troubled(error: unknown, onTrouble: (message: string) => void): Refusal {
  onTrouble(error instanceof Error ? error.message : String(error))
  return new Refusal('store_busy', 'The control store does not answer now. Try again in a moment.')
}
