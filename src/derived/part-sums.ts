/**
 * Sums rows of a table that grows. Parts (the files of a table in ClickHouse) never change, so parts that were summed
 * before are not read again.
 */
import type { Statement } from '#evidence/sql.ts'
import type { EvidenceStore, StatementLimits } from '#evidence/store.ts'
import type { ValueCache } from './value-cache.ts'

export interface PartSum {
  part: string
  /** The number of summed rows; 0 for a part without such rows. */
  rows: number
}

export interface PartSums<R extends PartSum> {
  /** Identifies the statement and everything that its rows depend on. */
  key: string
  /** Rows of all parts except these, and the names of all existing parts; null: rows of all, with an empty `part`. */
  read(known: readonly string[] | null): Statement<R>
  /** The limits of each statement; left out: the limits of the store. */
  limits?: StatementLimits | undefined
}

interface Context {
  evidence: Pick<EvidenceStore, 'all' | 'has_own_parts'>
  derived: { answers: ValueCache }
}

/**
 * The statement's rows of all parts that existed at one instant, in any order. On ClickHouse servers, each server has
 * its own parts, so nothing is cached, and rows of a part may occur several times.
 */
export async function sumParts<R extends PartSum>(
  { evidence, derived: { answers } }: Context,
  { key, read, limits }: PartSums<R>,
): Promise<R[]> {
  if (!evidence.has_own_parts) return evidence.all(read(null), limits)
  const key_of_parts = `parts ${key}`
  let known = answers.get<ReadonlyMap<string, readonly R[]>>(key_of_parts) ?? new Map<string, R[]>()
  for (let tries = 1; ; tries++) {
    // Parts that were merged during the read would count twice, so the sums are read again.
    if (tries === MAX_TRIES) known = new Map()
    const found = await evidence.all(read([...known.keys()]), limits)
    const active = new Set(found.map(({ part }) => part))
    const stillActive = [...known].filter(([part]) => active.has(part))
    const areAllActive = stillActive.length === known.size
    const sums = Map.groupBy(
      found.filter(({ rows }) => rows > 0),
      ({ part }) => part,
    )
    known = new Map([...stillActive, ...sums])
    if (!areAllActive) continue
    const rows = [...known.values()].flat()
    answers.set(key_of_parts, known, BYTES_A_ROW * (1 + rows.length))
    return rows
  }
}

const MAX_TRIES = 4
const BYTES_A_ROW = 300

/** The sum of 64-bit sums, decimal. It wraps around like them, so it does not depend on how rows were grouped. */
export const sumOfHashes = (sums: readonly string[]): string =>
  String(
    BigInt.asUintN(
      64,
      sums.reduce((all, sum) => all + BigInt(sum), 0n),
    ),
  )
