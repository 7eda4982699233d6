/** A cache of prepared SQLite statements: preparing costs several times as much as running most of them. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'

export interface PreparedStatement {
  statement: StatementSync
  /** Whether it returns rows; others return the number of changes. */
  has_rows: boolean
}

/** The size of the cache; the least recently used statement is dropped. */
const MAX_CACHED = 300
/** Longer statements list many values and are hardly repeated. */
const MAX_LENGTH = 4_096
/** Statements that change no layout. */
const IS_PLAIN = /^\s*(?:select|insert|update|delete|with)\b/i

export class PreparedStatements {
  readonly #sqlite: DatabaseSync
  readonly #cached = new Map<string, PreparedStatement>()

  constructor(sqlite: DatabaseSync) {
    this.#sqlite = sqlite
  }

  /** Finish running it before the next call, because equal texts share a statement. */
  prepare(sql: string): PreparedStatement {
    const cached = this.#cached.get(sql)
    if (cached !== undefined) {
      this.#cached.delete(sql)
      this.#cached.set(sql, cached)
      return cached
    }
    const statement = this.#sqlite.prepare(sql)
    const prepared = { statement, has_rows: statement.columns().length > 0 }
    // A cached statement would return the previous columns of its tables.
    if (!IS_PLAIN.test(sql)) this.#cached.clear()
    else if (sql.length <= MAX_LENGTH) this.#cache(sql, prepared)
    return prepared
  }

  #cache(sql: string, prepared: PreparedStatement): void {
    for (const oldest of this.#cached.keys()) {
      if (this.#cached.size < MAX_CACHED) break
      this.#cached.delete(oldest)
    }
    this.#cached.set(sql, prepared)
  }
}
