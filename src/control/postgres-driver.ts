import {
  CompiledQuery,
  type Dialect,
  PostgresAdapter,
  PostgresDialect,
  PostgresDriver,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
  type TransactionSettings,
} from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { Refusal } from '#refusal.ts'
import { ControlServerAway, isAborted, isLostConnection, isTooSlow, reasonOfTrouble } from './postgres-errors.ts'
import { WRITE_LOCK_KEY } from './postgres-pool.ts'

/**
 * Kysely's own dialect on a pool of guarded connections. Writing transactions of all processes on the database run one
 * at a time, by an advisory lock that ends with the transaction, so that they behave as with SQLite's single writer.
 * Snapshots are repeatable read and wait for no writer.
 */
export function postgresDialect(
  pool: Pool,
  {
    name,
    onTrouble = () => {},
    statement_ms,
  }: { name: string; onTrouble?: (message: string) => void; statement_ms: number },
): Dialect {
  const trouble = { name, onTrouble }
  const config = { pool: guardedPool(pool, trouble) }
  const dialect = new PostgresDialect(config)
  return {
    createAdapter: () => new WriteLockAdapter(),
    createDriver: () => new WriteLockDriver(config, statement_ms),
    createIntrospector: (database) => dialect.createIntrospector(database),
    createQueryCompiler: () => dialect.createQueryCompiler(),
  }
}

/** A process that is suspended in a transaction must not delay the others beyond their own limit. */
const IDLE_INSIDE_MS = 15_000

/** Limits for one transaction only, because a pooler may lend its connection to another client afterwards. */
const limits = (statement_ms: number): string =>
  `SET LOCAL statement_timeout = ${statement_ms}; ` +
  `SET LOCAL idle_in_transaction_session_timeout = ${Math.min(IDLE_INSIDE_MS, statement_ms)}`

// TRICKY: read committed, because the lock must precede the snapshot: one that is taken while waiting for the lock
// would
// show the state before the other writer's commit ("concurrent transactions do not see or undo one another").
const beginWriting = (statement_ms: number): string =>
  `BEGIN ISOLATION LEVEL READ COMMITTED; ${limits(statement_ms)}; SELECT pg_advisory_xact_lock(${WRITE_LOCK_KEY})`
const beginReading = (statement_ms: number): string =>
  `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${limits(statement_ms)}`

class WriteLockAdapter extends PostgresAdapter {
  /** Not needed, because migrations run in a writing transaction, which has the write lock. */
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

type Connection = Parameters<PostgresDriver['rollbackTransaction']>[0]

class WriteLockDriver extends PostgresDriver {
  readonly #statement_ms: number

  constructor(config: { pool: PostgresPool }, statement_ms: number) {
    super(config)
    this.#statement_ms = statement_ms
  }

  override async beginTransaction(connection: Connection, { accessMode }: TransactionSettings): Promise<void> {
    try {
      const begin = accessMode === 'read only' ? beginReading : beginWriting
      await connection.executeQuery(CompiledQuery.raw(begin(this.#statement_ms)))
    } catch (error) {
      // Kysely does not roll back if this fails, but a transaction that did not get the lock is open.
      await this.rollbackTransaction(connection).catch(() => {})
      throw error
    }
  }
}

/** The name of a store in messages, and the function that receives the reasons of failures. */
interface TroubleReport {
  readonly name: string
  onTrouble(message: string): void
}

function guardedPool(pool: Pool, trouble: TroubleReport): PostgresPool {
  return {
    options: pool.options,
    async connect() {
      const client = await pool.connect().catch((error: unknown) => {
        throw pool.ending ? error : unavailable(error, trouble)
      })
      return new GuardedClient(client, trouble)
    },
    async end() {
      if (!pool.ending) await pool.end()
    },
  }
}

/** A borrowed connection. If it breaks, its work fails with Refusal store_busy, and it is not used again. */
class GuardedClient implements PostgresPoolClient {
  readonly #client: PoolClient
  readonly #trouble: TroubleReport
  /** Settles once the transaction, or the borrowing, has ended; null before. */
  #ended: Promise<unknown> | null = null
  #is_lost = false
  #failure: unknown

  constructor(client: PoolClient, trouble: TroubleReport) {
    this.#client = client
    this.#trouble = trouble
    client.on('error', this.#noteLost)
  }

  query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>
  query(): never
  async query<R>(sql = '', parameters: readonly unknown[] = []): Promise<PostgresQueryResult<R>> {
    // TRICKY: Kysely runs a statement that was queued when its transaction rolled back. On a connection that is back in
    // the pool it would commit by itself ("queued behind a failure").
    if (this.#ended !== null) {
      await this.#ended
      throw new Error('The transaction of this statement is over.')
    }
    const answer = this.#ask<R>(sql, parameters)
    if (sql === 'commit' || sql === 'rollback') this.#ended = answer.catch(() => {})
    return answer
  }

  async #ask<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    // The server rolls back the transaction of a broken connection.
    if (sql === 'rollback' && this.#is_lost) return { command: 'ROLLBACK', rowCount: 0, rows: [] }
    try {
      return (await this.#client.query(sql, [...parameters])) as unknown as PostgresQueryResult<R>
    } catch (error) {
      // After a failed statement the server refuses all others of the transaction; the first error is the reason.
      if (isAborted(error) && this.#failure !== undefined) throw this.#failure
      this.#failure = error
      if (isLostConnection(error)) this.#is_lost = true
      else if (!isTooSlow(error)) throw error
      throw unavailable(error, this.#trouble)
    }
  }

  release(destroy = false): void {
    this.#ended ??= Promise.resolve()
    this.#client.off('error', this.#noteLost)
    this.#client.release(destroy || this.#is_lost)
  }

  readonly #noteLost = (): void => {
    this.#is_lost = true
  }
}

/** The refusal for callers, who learn only that a later request may succeed. The log and the doctor get the reason. */
export function unavailable(error: unknown, { name, onTrouble }: TroubleReport): Refusal {
  const reason = reasonOfTrouble(error)
  onTrouble(reason)
  const cause = new ControlServerAway(`The control store ${name} does not answer (${reason}).`)
  return new Refusal('store_busy', 'The control store does not answer now. Try again in a moment.', { cause })
}
