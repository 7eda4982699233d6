/** Finds the days of the source that have changed since the last comparison, by the names of its files (parts). */
import type { EvidenceStore } from '#evidence/store.ts'
import type { MovedTable } from './moved-tables.ts'
import { type Piece, piecesInParts, storedParts } from './pieces.sql.ts'

/** Names of files by table and partition. */
export type PartNames = ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>

/** A partition of which these pieces have changed, or any of its pieces. */
export interface ChangedPartition {
  partition: string
  pieces: readonly Piece[] | 'any'
}

/** If there are more changed parts or pieces, the whole partition is compared. */
const MAX_PARTS = 500
const MAX_PIECES = 20_000
/** `<partition>_<first block>_<last block>_<level>_<mutation>`: rows of unknown days were deleted. */
const IS_MUTATED = /^\w+_\d+_\d+_\d+_\d+$/

/** The names of all parts, by table and partition. */
export async function readParts(store: Pick<EvidenceStore, 'all'>): Promise<PartNames> {
  const found = new Map<string, Map<string, Set<string>>>()
  for (const { table, partition, name } of await store.all(storedParts)) {
    const partitions = found.get(table) ?? new Map<string, Set<string>>()
    found.set(table, partitions)
    const names = partitions.get(partition) ?? new Set<string>()
    partitions.set(partition, names.add(name))
  }
  return found
}

/** The partitions of a table that have changed between two readings of the parts. */
export async function changedPartitions(
  store: Pick<EvidenceStore, 'all'>,
  moved: MovedTable,
  before: PartNames,
  now: PartNames,
): Promise<ChangedPartition[]> {
  const known = before.get(moved.name) ?? new Map<string, ReadonlySet<string>>()
  const there = now.get(moved.name) ?? new Map<string, ReadonlySet<string>>()
  const changed: ChangedPartition[] = []
  for (const partition of new Set([...known.keys(), ...there.keys()])) {
    const was = known.get(partition)
    const is = there.get(partition) ?? new Set<string>()
    const added = [...is].filter((name) => was === undefined || !was.has(name))
    const is_emptied = is.size === 0
    if (added.length === 0 && !is_emptied) continue
    const is_any =
      was === undefined || is_emptied || added.length > MAX_PARTS || added.some((name) => IS_MUTATED.test(name))
    changed.push({ partition, pieces: is_any ? 'any' : await piecesOf(store, moved, partition, added) })
  }
  return changed
}

async function piecesOf(
  store: Pick<EvidenceStore, 'all'>,
  moved: MovedTable,
  partition: string,
  added: readonly string[],
): Promise<readonly Piece[] | 'any'> {
  const found = await store.all(piecesInParts(moved, added), { max_seconds: 600 })
  // A part may have been merged into another one before it was read.
  const now = (await readParts(store)).get(moved.name)?.get(partition)
  if (added.some((name) => now?.has(name) !== true) || found.length > MAX_PIECES) return 'any'
  return found.map(({ key }) => key)
}
