import { type Fragment, render } from './fragment.ts'

/** Matches a command that changes a table. */
const CHANGE_OF_TABLE = /^\s*(?:INSERT INTO|DELETE FROM|ALTER TABLE|TRUNCATE TABLE|RENAME TABLE)\s+spoor\.(\w+)/i

/** The table whose rows a command changes; undefined for other commands. */
export const changedTable = (command: Fragment): string | undefined => CHANGE_OF_TABLE.exec(render(command).text)?.[1]

interface Changes {
  begun: number
  ended: number
}

/** Counts the changes of each table by this process, the only one that changes them. */
export class TableVersions {
  readonly #changes = new Map<string, Changes>()

  /** Runs work that changes a table, whether it succeeds or fails. */
  async during<T>(table: string | undefined, work: () => Promise<T>): Promise<T> {
    if (table === undefined) return work()
    const changes = this.#of(table)
    changes.begun++
    try {
      return await work()
    } finally {
      changes.ended++
    }
  }

  /** A text that changes whenever the table changes; null while it is being changed. */
  of(table: string): string | null {
    const { begun, ended } = this.#of(table)
    return begun === ended ? String(ended) : null
  }

  #of(table: string): Changes {
    const known = this.#changes.get(table)
    if (known !== undefined) return known
    const changes = { begun: 0, ended: 0 }
    this.#changes.set(table, changes)
    return changes
  }
}
