/**
 * What is summed of rows that keep arriving: the files that hold them ("parts") never change, so those that were summed
 * before are not read again.
 */
import type { Statement } from '#evidence/sql.ts'
import type { EvidenceStore, StatementLimits } from '#evidence/store.ts'
import type { KeptDays } from './kept-days.ts'

export interface PartSum {
  part: string
  /** How many rows were summed; 0 beside the name of a part that is there, none of whose rows were. */
  rows: number
}

export interface PartSums<R extends PartSum> {
  /** Names the statement with everything that its rows depend on. */
  key: string
  /** The rows of all parts but these, and the names of all parts that are there; null: of all, with an empty `part`. */
  read(known: readonly string[] | null): Statement<R>
  /** Of each statement; left out: those of the store. */
  limits?: StatementLimits | undefined
}

interface Context {
  evidence: Pick<EvidenceStore, 'all' | 'has_own_parts'>
  derived: { answers: KeptDays }
}

/**
 * Rows of the statement of all parts that were there at one instant, in any order; those of a part may be there several
 * times on servers only, where each server has parts of its own and nothing is kept.
 */
export async function sumParts<R extends PartSum>(
  { evidence, derived: { answers } }: Context,
  { key, read, limits }: PartSums<R>,
): Promise<R[]> {
  if (!evidence.has_own_parts) return evidence.all(read(null), limits)
  const key_of_parts = `parts ${key}`
  let known = answers.get<ReadonlyMap<string, readonly R[]>>(key_of_parts) ?? new Map<string, R[]>()
  for (let tries = 1; ; tries++) {
    // What was merged meanwhile is in a part that is not known, and would count twice: it is read again.
    if (tries === TRIES) known = new Map()
    const found = await evidence.all(read([...known.keys()]), limits)
    const active = new Set(found.map(({ part }) => part))
    const kept = [...known].filter(([part]) => active.has(part))
    const were_active = kept.length === known.size
    const sums = Map.groupBy(
      found.filter(({ rows }) => rows > 0),
      ({ part }) => part,
    )
    known = new Map([...kept, ...sums])
    if (!were_active) continue
    const rows = [...known.values()].flat()
    answers.set(key_of_parts, known, BYTES_A_ROW * (1 + rows.length))
    return rows
  }
}

const TRIES = 4
const BYTES_A_ROW = 300

/** The sum of sums of 64 bits, decimal, the same whatever was summed together: it wraps around as theirs do. */
export const sumOfHashes = (sums: readonly string[]): string =>
  String(
    BigInt.asUintN(
      64,
      sums.reduce((all, sum) => all + BigInt(sum), 0n),
    ),
  )
