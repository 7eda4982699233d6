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
import { WRITERS_TURN } from './postgres-pool.ts'

/**
 * Kysely's own dialect on a pool of guarded connections. Transactions that write take turns, in all processes on the
 * database, by one advisory lock that ends with the transaction: what holds on SQLite's single writer then holds here,
 * word for word. Snapshots are repeatable read and wait for no writer.
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
    createAdapter: () => new TurnTakingAdapter(),
    createDriver: () => new TurnTakingDriver(config, statement_ms),
    createIntrospector: (database) => dialect.createIntrospector(database),
    createQueryCompiler: () => dialect.createQueryCompiler(),
  }
}

/** A process that stands still inside a transaction must not keep the others waiting past their own limit. */
const IDLE_INSIDE_MS = 15_000

/** The server's limits of one transaction: a pooler may lend its connection to another client after it. */
const limits = (statement_ms: number): string =>
  `SET LOCAL statement_timeout = ${statement_ms}; ` +
  `SET LOCAL idle_in_transaction_session_timeout = ${Math.min(IDLE_INSIDE_MS, statement_ms)}`

// TRICKY: read committed, because the lock must come before what is read: a snapshot taken while waiting for the turn
// would show the state before the other writer's commit ("concurrent transactions do not see or undo one another").
const beginWriting = (statement_ms: number): string =>
  `BEGIN ISOLATION LEVEL READ COMMITTED; ${limits(statement_ms)}; SELECT pg_advisory_xact_lock(${WRITERS_TURN})`
const beginReading = (statement_ms: number): string =>
  `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${limits(statement_ms)}`

class TurnTakingAdapter extends PostgresAdapter {
  /** Migrations run in a writing transaction, whose turn keeps other starts out already. */
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

type Connection = Parameters<PostgresDriver['rollbackTransaction']>[0]

class TurnTakingDriver extends PostgresDriver {
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
      // Kysely rolls back only what began: a turn that was not had leaves a transaction open.
      await this.rollbackTransaction(connection).catch(() => {})
      throw error
    }
  }
}

/** How a store is named to its operator, and what hears the reasons. */
interface TroubleReport {
  readonly name: string
  onTrouble(message: string): void
}

function guardedPool(pool: Pool, trouble: TroubleReport): PostgresPool {
  return {
    options: pool.options,
    async connect() {
      const client = await pool.connect().catch((error: unknown) => {
        throw pool.ending ? error : troubled(error, trouble)
      })
      return new GuardedClient(client, trouble)
    },
    async end() {
      if (!pool.ending) await pool.end()
    },
  }
}

/** A borrowed connection: one that breaks fails its work as Refusal store_busy, and is not used again. */
class GuardedClient implements PostgresPoolClient {
  readonly #client: PoolClient
  readonly #trouble: TroubleReport
  /** Settles once what ends the transaction, or the borrowing, has been done; null before. */
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
    // TRICKY: Kysely lets a statement through that was queued when its transaction rolled back; on a connection that is
    // back in the pool it would commit alone ("queued behind a failure").
    if (this.#ended !== null) {
      await this.#ended
      throw new Error('The transaction of this statement is over.')
    }
    const answer = this.#ask<R>(sql, parameters)
    if (sql === 'commit' || sql === 'rollback') this.#ended = answer.catch(() => {})
    return answer
  }

  async #ask<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    // The server takes back by itself what a broken connection left open.
    if (sql === 'rollback' && this.#is_lost) return { command: 'ROLLBACK', rowCount: 0, rows: [] }
    try {
      return (await this.#client.query(sql, [...parameters])) as unknown as PostgresQueryResult<R>
    } catch (error) {
      // After a failed statement the server only says that it goes on with nothing; the reason is what failed first.
      if (isAborted(error) && this.#failure !== undefined) throw this.#failure
      this.#failure = error
      if (isLostConnection(error)) this.#is_lost = true
      else if (!isTooSlow(error)) throw error
      throw troubled(error, this.#trouble)
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

/**
 * The reason is the operator's to see, in the log and, as the cause, by the doctor; the caller learns only that a later
 * request may be answered.
 */
export function troubled(error: unknown, { name, onTrouble }: TroubleReport): Refusal {
  const reason = reasonOfTrouble(error)
  onTrouble(reason)
  const cause = new ControlServerAway(`The control store ${name} does not answer (${reason}).`)
  return new Refusal('store_busy', 'The control store does not answer now. Try again in a moment.', { cause })
}
