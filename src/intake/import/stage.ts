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
    await dropStaged(this.#evidence, this.#deliveryId).catch((error: unknown) => {
      leaveStaged(this.#evidence, [this.#deliveryId])
      throw error
    })
  }
}

/** Staged rows of deliveries that have ended and could not be dropped, for example because the disk was full. */
const left_staged = new WeakMap<EvidenceStore, Set<string>>()

export function leaveStaged(evidence: EvidenceStore, delivery_ids: Iterable<string>): void {
  left_staged.set(evidence, new Set([...(left_staged.get(evidence) ?? []), ...delivery_ids]))
}

/** Drops what could not be dropped before. */
export async function dropLeftStaged(evidence: EvidenceStore): Promise<void> {
  const left = left_staged.get(evidence)
  for (const id of left ?? []) {
    await dropStaged(evidence, id)
    left?.delete(id)
  }
}

function dropStaged(evidence: EvidenceStore, delivery_id: string): Promise<void> {
  return evidence.run(sql`ALTER TABLE spoor.import_rows DROP PARTITION ${uuid(delivery_id)}`)
}
