/** One session of the engine: it runs one statement at a time, and stays usable after a failure. */
import type { Session } from 'chdb'
import { EvidenceError } from '../errors.ts'
import { type Fragment, type RenderedSql, render } from '../fragment.ts'
import { sqlString } from '../parameters.ts'
import { evidenceErrorOf } from './errors.ts'

export type Settings = Readonly<Record<string, number>>

/** Runs one statement; resolves with its answer in this format. */
export type RunCommand = (fragment: Fragment, format: string) => Promise<string>

export class ChdbSession {
  readonly #session: Session
  #last: Promise<unknown> = Promise.resolve()

  constructor(session: Session) {
    this.#session = session
  }

  /** Runs a statement after the earlier ones, and resolves with its result in this format. `settings` stay set. */
  query(fragment: Fragment, format: string, settings: Settings = {}): Promise<string> {
    const rendered = render(fragment)
    return this.#enqueue(async () => {
      const answer = await this.#session.queryAsync(withValues(rendered, settings), { format })
      return answer.text()
    })
  }

  /** Runs several statements and the work between them, with no other statement of this session in between. */
  exclusively<T>(work: (run: RunCommand) => Promise<T>): Promise<T> {
    return this.#enqueue(() =>
      work(async (fragment, format) => {
        const answer = await this.#session.queryAsync(withValues(render(fragment), {}), { format })
        return answer.text()
      }),
    )
  }

  /** Inserts rows in JSONCompactEachRow, and resolves with the number of rows that the engine reports. */
  insert(table: string, columns: readonly string[], values: Uint8Array, settings: Settings): Promise<number> {
    return this.#enqueue(async () => {
      const written = await this.#session.insert({ table, columns, values, format: 'JSONCompactEachRow', settings })
      return written.rowsWritten
    })
  }

  /** Streams the result of a statement in chunks. Later statements wait until it is read or abandoned. */
  async *stream(fragment: Fragment, format: string): AsyncGenerator<{ count: number; bytes: Uint8Array }> {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    const before = this.#last
    this.#last = ended
    await before
    try {
      const { text, parameters } = render(fragment)
      // A stream takes one statement only, so its values are set before it.
      if (parameters.length > 0) await this.#session.queryAsync(withValues({ text: '', parameters }, {}))
      for await (const part of this.#session.queryStream(text, { format })) {
        yield { count: part.numRows, bytes: Buffer.from(part.raw()) }
      }
    } catch (error) {
      await this.#recover()
      throw evidenceErrorOf(error)
    } finally {
      end()
    }
  }

  /**
   * Inserts rows by column from a file in the format Native, and resolves with the number of rows by which the table
   * grew. Only for tables whose rows no merge combines, and that no other session writes to.
   */
  insertFile(table: string, columns: readonly string[], file: string, settings: Settings): Promise<number> {
    const names = columns.join(', ')
    const given = Object.entries(settings).map(([name, value]) => `${name} = ${value}`)
    const insert = `INSERT INTO ${table} (${names}) SELECT ${names} FROM file(${sqlString(file)}, 'Native') SETTINGS ${given.join(', ')}`
    return this.#enqueue(async () => {
      // TRICKY: the engine does not report how many rows such an insert wrote.
      const before = await this.#count(table)
      await this.#session.queryAsync(insert, { format: 'Null' })
      return (await this.#count(table)) - before
    })
  }

  async #count(table: string): Promise<number> {
    const answer = await this.#session.queryAsync(`SELECT count() FROM ${table}`, { format: 'TSV' })
    return Number(answer.text())
  }

  close(): void {
    this.#session.close()
  }

  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(async () => {
      try {
        return await work()
      } catch (error) {
        await this.#recover()
        throw evidenceErrorOf(error)
      }
    })
    this.#last = done.catch(() => {})
    return done
  }

  /**
   * TRICKY: without a success in between, the next statement may fail again ("a failing query leaves the session
   * usable").
   */
  async #recover(): Promise<void> {
    await this.#session.queryAsync('SELECT 1', { format: 'Null' }).catch(() => {})
  }
}

/**
 * The statement, with SET commands for its values before it in the same call: the binding's own parameters are
 * serialized process-wide. Every placeholder is set each time, so that no value of an earlier statement remains.
 */
function withValues({ text, parameters }: RenderedSql, settings: Settings): string {
  if (/\binto\s+outfile\b/i.test(text)) throw new EvidenceError('bug', 'No statement may write a file.')
  const assignments = [
    ...Object.entries(settings).map(([name, value]) => `${name} = ${value}`),
    ...parameters.map((parameter, at) => `param_p${at} = ${sqlString(parameter.text)}`),
  ]
  return assignments.length === 0 ? text : `SET ${assignments.join(', ')}; ${text}`
}
