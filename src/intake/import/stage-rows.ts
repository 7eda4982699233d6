/** Stages the rows of an import in bounded batches, and drops all of them if the import fails. */
import { bytesOf, NativeRows } from '#evidence/rows/native-rows.ts'
import { sql, uuid } from '#evidence/sql.ts'
import type { EvidenceStore } from '#evidence/store.ts'
import { releaseBuffer } from './release-buffer.ts'
import { type RowBlock, RowColumns, type StagedRow } from './row-columns.ts'

/** The most bytes of an insert; a row of a hostile log may have 16 KiB. */
const BATCH_BYTES = 16_777_216
/** Single rows become a block at one of these limits; bytes are those of their text, about the size of the block. */
const MAX_WAITING_BYTES = 4_194_304
const BYTES_BESIDE_TEXT = 96

export class Stage {
  readonly #evidence: EvidenceStore
  readonly #deliveryId: string
  readonly #undropped: Set<string>
  /** Rows that were added singly. */
  readonly #waiting: RowColumns
  #waiting_bytes = 0
  #blocks: Uint8Array[] = []
  #bytes = 0
  #rows = 0
  #running: Promise<void> = Promise.resolve()
  #staged = 0

  /** `undropped` gets the id of the delivery if its rows cannot be dropped. */
  constructor(evidence: EvidenceStore, deliveryId: string, undropped = new Set<string>()) {
    this.#undropped = undropped
    this.#evidence = evidence
    this.#deliveryId = deliveryId
    this.#waiting = new RowColumns(deliveryId)
  }

  /** The number of rows so far. */
  get count(): number {
    return this.#staged + this.#rows + this.#waiting.count
  }

  /** Adds a row; true: the caller should await `flush` before it continues. */
  add(row: StagedRow): boolean {
    this.#waiting.add(row)
    this.#waiting_bytes += row.host.length + row.path.text.length + row.agent.user_agent.length + BYTES_BESIDE_TEXT
    if (this.#waiting_bytes >= MAX_WAITING_BYTES) this.#closeWaiting()
    return this.#bytes >= BATCH_BYTES
  }

  /**
   * Adds the rows of a block whose first line has the number `first_line`; true as above. The memory of the block
   * belongs to this stage from then on.
   */
  addBlock({ count, head, line_numbers }: RowBlock, first_line: number): boolean {
    // 32 bits are enough: a file with more lines would be larger than any that is read.
    const before = first_line - 1
    for (let at = 0; at < line_numbers.length; at += 2) line_numbers[at] = (line_numbers[at] as number) + before
    this.#blocks.push(head, bytesOf(line_numbers))
    this.#bytes += head.length + line_numbers.byteLength
    this.#rows += count
    return this.#bytes >= BATCH_BYTES
  }

  /** Inserts the batch. At most one insert runs while reading continues, so that memory is bounded. */
  async flush(): Promise<void> {
    await this.#running
    this.#closeWaiting()
    const [blocks, rows] = [this.#blocks, this.#rows]
    if (rows === 0) return
    this.#blocks = []
    this.#bytes = 0
    this.#rows = 0
    this.#staged += rows
    this.#running = this.#insert(blocks, rows)
    // A failure is thrown by the next flush or finish; until then it must not be an unhandled rejection.
    this.#running.catch(() => {})
  }

  /** Resolves when every row is staged. */
  async finish(): Promise<void> {
    await this.flush()
    await this.#running
  }

  /** Drops all staged rows, none of which is a fact yet. */
  async drop(): Promise<void> {
    await this.#running.catch(() => {})
    await dropStaged(this.#evidence, this.#deliveryId).catch((error: unknown) => {
      this.#undropped.add(this.#deliveryId)
      throw error
    })
  }

  async #insert(blocks: readonly Uint8Array[], rows: number): Promise<void> {
    await this.#evidence.insert('import_rows', new NativeRows(blocks), rows)
    for (const { buffer } of blocks) releaseBuffer(buffer as ArrayBuffer)
  }

  #closeWaiting(): void {
    if (this.#waiting.count > 0) this.addBlock(this.#waiting.take(), 1)
    this.#waiting_bytes = 0
  }
}

/** Drops the staged rows of deliveries that could not be dropped before. */
export async function dropUndroppedStages(evidence: EvidenceStore, undropped: Set<string>): Promise<void> {
  for (const id of undropped) {
    await dropStaged(evidence, id)
    undropped.delete(id)
  }
}

function dropStaged(evidence: EvidenceStore, delivery_id: string): Promise<void> {
  return evidence.run(sql`ALTER TABLE spoor.import_rows DROP PARTITION ${uuid(delivery_id)}`)
}
