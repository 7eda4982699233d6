/** Refuses writes to both stores while the last piece of an installation is moved. */
import type { KyselyPlugin } from 'kysely'
import { RunningWork } from '#concurrency/running-work.ts'
import type { ControlStore } from '#control/store.ts'
import type { Fragment, Statement } from '#evidence/sql.ts'
import type { EvidenceStore, EvidenceStoreState, InsertTable, StatementLimits } from '#evidence/store.ts'
import type { WriteLock } from '#evidence/write-lock.ts'
import { Refusal } from '#refusal.ts'

const WRITES: ReadonlySet<string> = new Set(['InsertQueryNode', 'UpdateQueryNode', 'DeleteQueryNode', 'MergeQueryNode'])

/** The refusal of a write while the gate is closed. */
export class GateClosed extends Refusal {
  constructor(has_moved: boolean) {
    super('store_busy', has_moved ? HAS_MOVED : MOVES)
  }
}

const MOVES = 'The installation is moving to other stores and stores nothing now. Try again in a minute.'
const HAS_MOVED =
  'The installation has moved to other stores, and this service stores nothing any more: its operator stops it and starts it with the settings of those.'

export class WriteGate {
  readonly #hasMoved: () => boolean
  #is_closed = false
  readonly #running = new RunningWork()

  /** `hasMoved`: whether a move has ended; called while the gate is closed. */
  constructor(hasMoved: () => boolean = () => false) {
    this.#hasMoved = hasMoved
  }

  get is_closed(): boolean {
    return this.#is_closed
  }

  /** Refuses writes from now on; resolves when running ones have ended. */
  async close(): Promise<void> {
    this.#is_closed = true
    await this.#running.ended()
  }

  open(): void {
    this.#is_closed = false
  }

  #refusal(): Refusal {
    return new GateClosed(this.#hasMoved())
  }

  /** The same store with the gate before transactions and writes; reads and snapshots are not affected. */
  ofControl(store: ControlStore): ControlStore {
    const checkWrites: KyselyPlugin = {
      transformQuery: ({ node }) => {
        if (this.#is_closed && WRITES.has(node.kind)) throw this.#refusal()
        return node
      },
      transformResult: async ({ result }) => result,
    }
    return {
      ...store,
      db: store.db.withPlugin(checkWrites),
      transaction: (work) => this.pass(() => store.transaction(work)),
    }
  }

  /** The same store with the gate before writes. */
  ofEvidence(store: EvidenceStore): EvidenceStore {
    return new GatedEvidence(store, this)
  }

  /** Runs a write. @throws Refusal store_busy while the gate is closed. */
  async pass<T>(work: () => Promise<T>): Promise<T> {
    if (this.#is_closed) throw this.#refusal()
    return this.#running.track(work())
  }
}

class GatedEvidence implements EvidenceStore {
  readonly has_own_parts: boolean
  readonly #store: EvidenceStore
  readonly #gate: WriteGate

  constructor(store: EvidenceStore, gate: WriteGate) {
    this.has_own_parts = store.has_own_parts
    this.#store = store
    this.#gate = gate
  }

  get writeLock(): WriteLock {
    return this.#store.writeLock
  }

  versionOf(table: InsertTable): string | null {
    return this.#store.versionOf(table)
  }

  all<T>(statement: Statement<T>, limits?: StatementLimits): Promise<T[]> {
    return this.#store.all(statement, limits)
  }

  run(command: Fragment, limits?: StatementLimits): Promise<void> {
    return this.#gate.pass(() => this.#store.run(command, limits))
  }

  insert(table: InsertTable, rows: Uint8Array, count: number): Promise<void> {
    return this.#gate.pass(() => this.#store.insert(table, rows, count))
  }

  ping(): Promise<void> {
    return this.#store.ping()
  }

  releaseMemory(): void {
    this.#store.releaseMemory()
  }

  state(): Promise<EvidenceStoreState> {
    return this.#store.state()
  }

  close(): Promise<void> {
    return this.#store.close()
  }
}
