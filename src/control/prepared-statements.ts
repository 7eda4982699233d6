/** Statements of SQLite by their text, prepared once: preparing costs several times what most of them take to run. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'

export interface PreparedStatement {
  statement: StatementSync
  /** Whether it answers with rows, or says how many it changed. */
  has_rows: boolean
}

/** Beyond these, the one that was used longest ago makes room. */
const MAX_KEPT = 300
/** Longer ones list many values, and hardly come again. */
const MAX_LENGTH = 4_096
/** What changes no table's layout. */
const IS_PLAIN = /^\s*(?:select|insert|update|delete|with)\b/i

export class PreparedStatements {
  readonly #sqlite: DatabaseSync
  readonly #kept = new Map<string, PreparedStatement>()

  constructor(sqlite: DatabaseSync) {
    this.#sqlite = sqlite
  }

  /** Run it to its end before another one is asked for: the same text is the same statement. */
  prepare(sql: string): PreparedStatement {
    const kept = this.#kept.get(sql)
    if (kept !== undefined) {
      this.#kept.delete(sql)
      this.#kept.set(sql, kept)
      return kept
    }
    const statement = this.#sqlite.prepare(sql)
    const prepared = { statement, has_rows: statement.columns().length > 0 }
    // A kept statement would go on with the columns that its tables had.
    if (!IS_PLAIN.test(sql)) this.#kept.clear()
    else if (sql.length <= MAX_LENGTH) this.#keep(sql, prepared)
    return prepared
  }

  #keep(sql: string, prepared: PreparedStatement): void {
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size < MAX_KEPT) break
      this.#kept.delete(oldest)
    }
    this.#kept.set(sql, prepared)
  }
}
