/** Rows of one import on their way to the engine: staged in batches, in bounded memory, and dropped whole when the import fails. */
import type { PathClass, PathFidelity } from '#contract/vocabulary.ts'
import { sql, uuid } from '#evidence/sql.ts'
import type { EvidenceStore } from '#evidence/store.ts'
import type { FileAgent } from './agents.ts'

const BATCH_ROWS = 25_000

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
  agent: FileAgent
  /** 32 hexadecimal digits. */
  line_hash: string
  line_number: number
}

export class Stage {
  readonly #evidence: EvidenceStore
  readonly #deliveryId: string
  #rows: string[] = []
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
    return this.#rows.push(jsonLine(this.#deliveryId, row)) >= BATCH_ROWS
  }

  /** Hands the batch to the engine; at most one batch is under way, so memory stays bounded while reading goes on. */
  async flush(): Promise<void> {
    await this.#running
    const batch = this.#rows
    if (batch.length === 0) return
    this.#rows = []
    this.#staged += batch.length
    this.#running = this.#evidence.insert('import_rows', Buffer.from(batch.join('')), batch.length)
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

/** The columns of spoor.import_rows, in order. Written out because this runs for every kept line of a file. */
function jsonLine(deliveryId: string, row: StagedRow): string {
  const { agent } = row
  return `["${deliveryId}",${row.at},${JSON.stringify(row.host)},${JSON.stringify(row.path)},"${row.path_fidelity}","${row.path_class}",${row.status},${row.status_raw},${JSON.stringify(row.method)},${agent.user_agent_json},"${agent.agent_key}","${row.line_hash}",${row.line_number}]\n`
}
