/** Rows of one import on their way to the engine: staged in batches, in bounded memory, and dropped whole when the import fails. */
import { jsonRows } from '#evidence/json-rows.ts'
import { sql, uuid } from '#evidence/sql.ts'
import type { EvidenceStore } from '#evidence/store.ts'

const BATCH_ROWS = 25_000

/** The columns of spoor.import_rows, in order. */
export type StagedRow = readonly [
  delivery_id: string,
  day: string,
  at: string,
  host: string,
  path: string,
  path_fidelity: string,
  path_class: string,
  status: number,
  status_raw: number,
  method: string,
  user_agent: string,
  agent_key: string,
  line_hash: string,
  line_number: number,
]

export class Stage {
  readonly #evidence: EvidenceStore
  readonly #deliveryId: string
  #rows: StagedRow[] = []
  #running: Promise<void> = Promise.resolve()
  #staged = 0

  constructor(evidence: EvidenceStore, deliveryId: string) {
    this.#evidence = evidence
    this.#deliveryId = deliveryId
  }

  /** Rows taken so far. */
  get count(): number {
    return this.#staged + this.#rows.length
  }

  /** Takes a row; true when the caller should await `flush` before it goes on. */
  add(row: StagedRow): boolean {
    return this.#rows.push(row) >= BATCH_ROWS
  }

  /** Hands the batch to the engine; at most one batch is under way, so memory stays bounded while reading goes on. */
  async flush(): Promise<void> {
    await this.#running
    const batch = this.#rows
    if (batch.length === 0) return
    this.#rows = []
    this.#staged += batch.length
    this.#running = this.#evidence.insert('import_rows', jsonRows(batch), batch.length)
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
    await this.#evidence.run(sql`ALTER TABLE spoor.import_rows DROP PARTITION ${uuid(this.#deliveryId)}`)
  }
}
