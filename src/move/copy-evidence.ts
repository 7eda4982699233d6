/**
 * Makes the evidence on servers equal to the embedded one. Pieces that differ are copied again; equal ones are not, so
 * that an interrupted copy continues where it stopped (decisions 8.2).
 */
import { EvidenceError } from '#evidence/errors.ts'
import type { EmbeddedEvidence, EvidenceStore, ServerEvidence } from '#evidence/store.ts'
import { Refusal } from '#refusal.ts'
import { changedPartitions, type PartNames, readParts } from './changed-parts.ts'
import { MOVED_TABLES, type MovedTable } from './moved-tables.ts'
import {
  type Fingerprints,
  groupsOfPieces,
  inGroups,
  isSameFingerprint,
  monthOfPartition,
  monthsOf,
  nameOfPiece,
  ROWS_AT_ONCE,
  rowsOfFingerprints,
} from './piece-groups.ts'
import {
  columnsOfTables,
  deletePieces,
  isOfMonth,
  isOfPieces,
  type Piece,
  type PieceFingerprint,
  pieceFingerprints,
  rowsOfPieces,
  type TableColumn,
} from './pieces.sql.ts'

/** The rows of a table on the servers, as compared. */
export interface TableTotal {
  table: string
  /** The number of pieces; a piece is usually a day of a site or of a brand. */
  pieces: number
  rows: number
  /** The sum of the table's counts, decimal text. */
  sum: string
  /** A hash of all rows, independent of their order: 16 hexadecimal digits. */
  hash: string
}

export interface Copied {
  /** Compared rows, rows added to the servers, and pieces deleted there. */
  compared_rows: number
  copied_rows: number
  deleted_pieces: number
  /** Pieces that still differ, because the source has changed meanwhile or the servers lost rows. */
  differing: { table: string; piece: Piece }[]
}

export interface CopyListener {
  onTable(table: string): void
  /** Called with the number of rows and pieces that are equal, or were copied. */
  onCompared(rows: number, pieces: number): void
}

const BYTES_AT_ONCE = 8 << 20
const MAX_SECONDS = 3_600
const HASH_MODULUS = 1n << 64n

export class EvidenceCopy {
  readonly #source: EmbeddedEvidence
  readonly #target: ServerEvidence
  readonly #columns: ReadonlyMap<string, readonly TableColumn[]>
  readonly #listener: CopyListener
  /** The parts of the source at the last comparison, which were listed before their rows were read. */
  #parts: PartNames = new Map()
  #max_seconds = MAX_SECONDS
  /** Whether the totals already contain the previous rows of the servers. */
  #is_following = false
  #totals = new Map<string, { pieces: number; rows: number; sum: bigint; hash: bigint }>()

  private constructor(
    source: EmbeddedEvidence,
    target: ServerEvidence,
    columns: ReadonlyMap<string, readonly TableColumn[]>,
    listener: CopyListener,
  ) {
    this.#source = source
    this.#target = target
    this.#columns = columns
    this.#listener = listener
  }

  /** @throws Refusal conflict: the tables of the two differ. */
  static async begin(source: EmbeddedEvidence, target: ServerEvidence, listener: CopyListener): Promise<EvidenceCopy> {
    const [ours, theirs] = [await columnsOf(source), await columnsOf(target)]
    for (const { name } of MOVED_TABLES) {
      if (JSON.stringify(ours.get(name)) === JSON.stringify(theirs.get(name))) continue
      throw new Refusal(
        'conflict',
        `The table ${name} has other columns on the servers than in the data folder. Empty the database of the servers and repeat the command.`,
      )
    }
    return new EvidenceCopy(source, target, ours, listener)
  }

  /** Compares all pieces, and copies those that differ. */
  async all(signal: AbortSignal): Promise<Copied> {
    this.#max_seconds = MAX_SECONDS
    const parts = await readParts(this.#source)
    const there = await readParts(this.#target)
    this.#totals = new Map()
    this.#is_following = false
    const copied = nothingCopied()
    for (const moved of MOVED_TABLES) {
      this.#listener.onTable(moved.name)
      for (const month of monthsOf(moved, parts, there)) {
        await this.#equalize(moved, isOfMonth(moved, month), copied, signal)
      }
    }
    this.#parts = parts
    return copied
  }

  /**
   * Compares the pieces that have changed since the last comparison, and copies those that differ.
   * @param max_seconds limits each statement.
   * @throws EvidenceError timeout.
   */
  async changed(signal: AbortSignal, max_seconds = MAX_SECONDS): Promise<Copied> {
    this.#max_seconds = max_seconds
    const parts = await readParts(this.#source)
    this.#is_following = true
    const copied = nothingCopied()
    for (const moved of MOVED_TABLES) {
      signal.throwIfAborted()
      this.#listener.onTable(moved.name)
      for (const { partition, pieces } of await changedPartitions(this.#source, moved, this.#parts, parts)) {
        if (pieces === 'any')
          await this.#equalize(moved, isOfMonth(moved, monthOfPartition(moved, partition)), copied, signal)
        else
          for (const some of groupsOfPieces(moved, pieces))
            await this.#equalize(moved, isOfPieces(moved, some), copied, signal)
      }
    }
    this.#parts = parts
    return copied
  }

  totals(): TableTotal[] {
    return MOVED_TABLES.map(({ name }) => {
      const { pieces, rows, sum, hash } = this.#totalOf(name)
      return { table: name, pieces, rows, sum: String(sum), hash: hash.toString(16).padStart(16, '0') }
    })
  }

  async #equalize(
    moved: MovedTable,
    where: ReturnType<typeof isOfMonth>,
    copied: Copied,
    signal: AbortSignal,
  ): Promise<void> {
    signal.throwIfAborted()
    const ours = await this.#fingerprints(this.#source, moved, where)
    const theirs = await this.#fingerprints(this.#target, moved, where)
    const differing = [...ours]
      .filter(([key, fingerprint]) => !isSameFingerprint(theirs.get(key), fingerprint))
      .map(([, fingerprint]) => fingerprint)
    const stray = [...theirs].filter(([key]) => !ours.has(key)).map(([, fingerprint]) => fingerprint.key)
    // In such a table, rows that are inserted again count twice, so the copied ones are deleted first.
    const doubled = moved.is_replacing
      ? []
      : differing.map(({ key }) => key).filter((key) => theirs.has(nameOfPiece(key)))
    const is_equal = ours.size - differing.length
    this.#listener.onCompared(rowsOfFingerprints(ours.values()) - rowsOfFingerprints(differing), is_equal)
    await this.#delete(moved, [...stray, ...doubled], signal)
    copied.deleted_pieces += stray.length + doubled.length
    const now = new Map(theirs)
    for (const key of stray) now.delete(nameOfPiece(key))
    for (const some of inGroups(moved, differing)) {
      for (const [key, fingerprint] of await this.#copy(moved, some, ours, theirs, signal)) now.set(key, fingerprint)
      const rows = rowsOfFingerprints(some.map((key) => ours.get(nameOfPiece(key)) as PieceFingerprint))
      copied.copied_rows += rows
      this.#listener.onCompared(rows, some.length)
    }
    copied.compared_rows += rowsOfFingerprints(ours.values())
    for (const [key, fingerprint] of ours) {
      if (!isSameFingerprint(now.get(key), fingerprint))
        copied.differing.push({ table: moved.name, piece: fingerprint.key })
    }
    this.#addUp(moved, now, 1)
    if (this.#is_following) this.#addUp(moved, theirs, -1)
  }

  /** Copies pieces, and returns their fingerprints on the servers afterwards. */
  async #copy(
    moved: MovedTable,
    pieces: Piece[],
    ours: Fingerprints,
    theirs: Fingerprints,
    signal: AbortSignal,
  ): Promise<Fingerprints> {
    await this.#add(moved, pieces, signal)
    const now = await this.#fingerprints(this.#target, moved, isOfPieces(moved, pieces))
    // The servers have rows that the source has deleted since: such pieces are deleted and copied again.
    const left = pieces.filter((key) => {
      const name = nameOfPiece(key)
      return theirs.has(name) && !isSameFingerprint(now.get(name), ours.get(name))
    })
    if (left.length === 0 || !moved.is_replacing) return now
    await this.#delete(moved, left, signal)
    await this.#add(moved, left, signal)
    for (const key of left) now.delete(nameOfPiece(key))
    for (const [key, fingerprint] of await this.#fingerprints(this.#target, moved, isOfPieces(moved, left)))
      now.set(key, fingerprint)
    return now
  }

  async #add(moved: MovedTable, pieces: readonly Piece[], signal: AbortSignal): Promise<void> {
    const columns = this.#columnsOf(moved)
    const names = columns.map(({ name }) => name)
    let waiting: Uint8Array[] = []
    let [bytes, count] = [0, 0]
    const flush = async () => {
      if (count > 0) await this.#target.insertNative(moved.name, names, { count, bytes: Buffer.concat(waiting) })
      waiting = []
      ;[bytes, count] = [0, 0]
    }
    for await (const rows of this.#source.readNative(rowsOfPieces(moved, columns, pieces))) {
      signal.throwIfAborted()
      waiting.push(rows.bytes)
      bytes += rows.bytes.byteLength
      count += rows.count
      if (bytes >= BYTES_AT_ONCE || count >= ROWS_AT_ONCE) await flush()
    }
    await flush()
  }

  async #delete(moved: MovedTable, pieces: readonly Piece[], signal: AbortSignal): Promise<void> {
    for (const some of groupsOfPieces(moved, pieces)) {
      signal.throwIfAborted()
      await this.#target.run(deletePieces(moved, some))
    }
  }

  async #fingerprints(
    store: EvidenceStore,
    moved: MovedTable,
    where: ReturnType<typeof isOfMonth>,
  ): Promise<Fingerprints> {
    const found = await store.all(pieceFingerprints(moved, this.#columnsOf(moved), where), {
      max_seconds: this.#max_seconds,
    })
    return new Map(found.map((fingerprint) => [nameOfPiece(fingerprint.key), fingerprint]))
  }

  #columnsOf({ name }: MovedTable): readonly TableColumn[] {
    const columns = this.#columns.get(name)
    if (columns === undefined) throw new EvidenceError('bug', `The store has no table ${name}.`)
    return columns
  }

  #totalOf(table: string) {
    const total = this.#totals.get(table) ?? { pieces: 0, rows: 0, sum: 0n, hash: 0n }
    this.#totals.set(table, total)
    return total
  }

  #addUp(moved: MovedTable, fingerprints: Fingerprints, sign: 1 | -1): void {
    const total = this.#totalOf(moved.name)
    for (const fingerprint of fingerprints.values()) {
      total.pieces += sign
      total.rows += sign * fingerprint.rows
      total.sum += BigInt(sign) * BigInt(fingerprint.total)
      total.hash = (total.hash + HASH_MODULUS + BigInt(sign) * BigInt(fingerprint.hash)) % HASH_MODULUS
    }
  }
}

async function columnsOf(store: EvidenceStore): Promise<Map<string, TableColumn[]>> {
  const found = Map.groupBy(await store.all(columnsOfTables), ({ table }) => table)
  return new Map([...found].map(([table, columns]) => [table, columns.map(({ name, type }) => ({ name, type }))]))
}

const nothingCopied = (): Copied => ({ compared_rows: 0, copied_rows: 0, deleted_pieces: 0, differing: [] })
