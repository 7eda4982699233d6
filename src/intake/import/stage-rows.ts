/** Rows of one import on their way to the engine: staged in bounded batches, dropped whole if it fails. */
import type { PathClass, PathFidelity } from '#contract/vocabulary.ts'
import { sql, uuid } from '#evidence/sql.ts'
import type { EvidenceStore } from '#evidence/store.ts'
import type { EdgeAction } from '../log/edge-action.ts'
import type { FileAgent } from './file-agents.ts'

/** Rows of one insert; a hostile log makes each up to 16 KiB, so bytes are what is bounded. */
const BATCH_BYTES = 8_388_608

/** A line to keep, as read from the file. */
export interface StagedRow {
  /** Epoch milliseconds. */
  at: number
  host: string
  path: string
  path_fidelity: PathFidelity
  path_class: PathClass
  status: number
  status_raw: number
  method: string
  edge_action: EdgeAction | null
  agent: FileAgent
  /** 32 hexadecimal digits. */
  line_hash: string
  line_number: number
}

export class Stage {
  readonly #evidence: EvidenceStore
  readonly #deliveryId: string
  readonly #left: Set<string>
  /** Rows that wait, and the batch that the engine is given meanwhile. */
  #rows = new RowBuffer()
  #given = new RowBuffer()
  #running: Promise<void> = Promise.resolve()
  #staged = 0

  /** `left` takes the id when not even its rows could be dropped. */
  constructor(evidence: EvidenceStore, deliveryId: string, left = new Set<string>()) {
    this.#left = left
    this.#evidence = evidence
    this.#deliveryId = deliveryId
  }

  /** Rows taken so far. */
  get count(): number {
    return this.#staged + this.#rows.count
  }

  /** Takes a row; true when the caller should await `flush` before it goes on. */
  add(row: StagedRow): boolean {
    return this.#rows.add(jsonLine(this.#deliveryId, row)) >= BATCH_BYTES
  }

  /** Hands the batch to the engine; at most one batch is under way, so memory stays bounded while reading goes on. */
  async flush(): Promise<void> {
    await this.#running
    const batch = this.#rows
    if (batch.count === 0) return
    this.#rows = this.#given
    this.#rows.empty()
    this.#given = batch
    this.#staged += batch.count
    this.#running = this.#evidence.insert('import_rows', batch.bytes(), batch.count)
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
}

/** Rows as bytes, in memory that is used again. */
class RowBuffer {
  count = 0
  #bytes: Buffer = Buffer.alloc(0)
  #size = 0

  /** The bytes after this row. */
  add(row: string): number {
    // A character has at most three bytes in UTF-8.
    if (this.#size + 3 * row.length > this.#bytes.length) this.#grow(3 * row.length)
    this.#size += this.#bytes.write(row, this.#size)
    this.count += 1
    return this.#size
  }

  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#size)
  }

  empty(): void {
    this.count = 0
    this.#size = 0
  }

  #grow(more: number): void {
    const wider = Buffer.allocUnsafeSlow(Math.max(65_536, 2 * this.#bytes.length) + more)
    this.#bytes.copy(wider, 0, 0, this.#size)
    this.#bytes = wider
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

/** The columns of spoor.import_rows, in order. Written out because this runs for every kept line of a file. */
function jsonLine(deliveryId: string, row: StagedRow): string {
  const { agent } = row
  const edge_action = row.edge_action === null ? 'null' : `"${row.edge_action}"`
  return `["${deliveryId}",${row.at},${JSON.stringify(row.host)},${JSON.stringify(row.path)},"${row.path_fidelity}","${row.path_class}",${row.status},${row.status_raw},${JSON.stringify(row.method)},${edge_action},${JSON.stringify(agent.user_agent)},"${agent.agent_key}","${row.line_hash}",${row.line_number}]\n`
}
