/** Caches rows of builds, because a build never changes. */
import { createHash } from 'node:crypto'
import { render } from '#evidence/fragment.ts'
import { overrideStore } from '#evidence/override-store.ts'
import { Statement } from '#evidence/sql.ts'
import type { EvidenceStore, StatementLimits } from '#evidence/store.ts'
import type { ValueCache } from './value-cache.ts'

/** A statement whose rows depend only on builds, which do not change while they are in use. */
class BuildStatement<T> extends Statement<T> {}

/** Marks a statement whose rows may be cached. */
export const cacheable = <T>({ fragment, readRows }: Statement<T>): Statement<T> =>
  new BuildStatement(fragment, readRows)

/** A store that caches the rows of marked statements. Callers must not change the rows. */
export const withBuildCache = (store: EvidenceStore, answers: ValueCache): EvidenceStore =>
  overrideStore(store, {
    all: <T>(statement: Statement<T>, limits?: StatementLimits) => {
      const read = () => store.all(statement, limits)
      if (!(statement instanceof BuildStatement)) return read()
      return answers.getOrRead<T[]>(keyOf(statement), { read, bytesOf, isStillValid: async () => true })
    },
  })

export interface Decoding<T> {
  /** Reads the rows of the statement, and decodes them. */
  read(): Promise<T>
  bytesOf(value: T): number
}

/** Caches the decoded value of a statement of builds instead of its rows, which need more memory. */
export const readDecoded = <T>(answers: ValueCache, statement: Statement<unknown>, decoding: Decoding<T>): Promise<T> =>
  answers.getOrRead(`decoded ${keyOf(statement)}`, { ...decoding, isStillValid: async () => true })

function keyOf({ fragment }: Statement<unknown>): string {
  const { text, parameters } = render(fragment)
  return createHash('sha256')
    .update(JSON.stringify([text, parameters.map((parameter) => parameter.text)]))
    .digest('base64')
}

/** An estimate: objects need several times the memory of their text. */
const bytesOf = (rows: readonly unknown[]): number => 200 + 4 * JSON.stringify(rows).length
