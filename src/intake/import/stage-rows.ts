/** Rows of one import on their way to the engine: staged in bounded batches, dropped whole if it fails. */
import { bytesOf, NativeRows } from '#evidence/native-rows.ts'
import { sql, uuid } from '#evidence/sql.ts'
import type { EvidenceStore } from '#evidence/store.ts'
import { releaseBuffer } from './release-buffer.ts'
import { type RowBlock, RowColumns, type StagedRow } from './row-columns.ts'

/** Of one insert; a hostile log makes a row up to 16 KiB, so bytes are what is bounded. */
const BATCH_BYTES = 16_777_216
/** Rows that come one by one become a block at one of these; their bytes as text, which is about what they become. */
const MAX_WAITING_BYTES = 4_194_304
const BYTES_BESIDE_TEXT = 96

export class Stage {
  readonly #evidence: EvidenceStore
  readonly #deliveryId: string
  readonly #left: Set<string>
  /** Rows that came one by one. */
  readonly #waiting: RowColumns
  #waiting_bytes = 0
  #blocks: Uint8Array[] = []
  #bytes = 0
  #rows = 0
  #running: Promise<void> = Promise.resolve()
  #staged = 0

  /** `left` takes the id when not even its rows could be dropped. */
  constructor(evidence: EvidenceStore, deliveryId: string, left = new Set<string>()) {
    this.#left = left
    this.#evidence = evidence
    this.#deliveryId = deliveryId
    this.#waiting = new RowColumns(deliveryId)
  }

  /** Rows taken so far. */
  get count(): number {
    return this.#staged + this.#rows + this.#waiting.count
  }

  /** Takes a row; true when the caller should await `flush` before it goes on. */
  add(row: StagedRow): boolean {
    this.#waiting.add(row)
    this.#waiting_bytes += row.host.length + row.path.text.length + row.agent.user_agent.length + BYTES_BESIDE_TEXT
    if (this.#waiting_bytes >= MAX_WAITING_BYTES) this.#closeWaiting()
    return this.#bytes >= BATCH_BYTES
  }

  /**
   * Takes the rows of a block whose first line has the number `first_line`; true as above. Their memory is this one's
   * from now on.
   */
  addBlock({ count, head, line_numbers }: RowBlock, first_line: number): boolean {
    // A file of so many lines that their number takes more than 32 bits would be larger than any that is read.
    const before = first_line - 1
    for (let at = 0; at < line_numbers.length; at += 2) line_numbers[at] = (line_numbers[at] as number) + before
    this.#blocks.push(head, bytesOf(line_numbers))
    this.#bytes += head.length + line_numbers.byteLength
    this.#rows += count
    return this.#bytes >= BATCH_BYTES
  }

  /** Hands the batch to the engine; at most one batch is under way, so memory stays bounded while reading goes on. */
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
    // A failure surfaces at the next flush or finish; until then it must not count as unhandled.
    this.#running.catch(() => {})
  }

  /** Resolves once every row is staged. */
  async finish(): Promise<void> {
    await this.flush()
    await this.#running
  }

  /** Drops everything staged; nothing of it was a fact yet. */
  async drop(): Promise<void> {
    await this.#running.catch(() => {})
    await dropStaged(this.#evidence, this.#deliveryId).catch((error: unknown) => {
      this.#left.add(this.#deliveryId)
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
export async function dropLeftStaged(evidence: EvidenceStore, left: Set<string>): Promise<void> {
  for (const id of left) {
    await dropStaged(evidence, id)
    left.delete(id)
  }
}

function dropStaged(evidence: EvidenceStore, delivery_id: string): Promise<void> {
  return evidence.run(sql`ALTER TABLE spoor.import_rows DROP PARTITION ${uuid(delivery_id)}`)
}
