import { type HeldLock, IMPORT_LOCK, type NamedLocks, processLocks } from '#evidence/named-locks.ts'
import { PageMemory } from '#evidence/page-names.ts'
import { JoinedBytes } from '#evidence/rows/joined-bytes.ts'

/** A delivery that was interrupted. */
export interface BrokenDelivery {
  id: string
  site_id: string
  source_id: string
}

/** The state of the intake of crawler evidence while an installation is open. */
export class IntakeMemory {
  /** The id of this node; null for a single service. */
  readonly node_id: string | null
  readonly #locks: NamedLocks
  #import_lock: HeldLock | null = null
  /** Interrupted deliveries that could not be marked as broken, for example because the disk was full; by id. */
  readonly unmarked_deliveries = new Map<string, BrokenDelivery>()
  /** Ids of ended deliveries whose staged rows could not be dropped. */
  readonly undropped_stages = new Set<string>()
  /** Keys of stored agents. Each is stored once: agents are never deleted, and a new version labels all of them. */
  readonly stored_agents = new Set<string>()
  /** Used under the write lock by one writer of facts at a time, like `joined`. */
  readonly pages = new PageMemory()
  readonly joined = new JoinedBytes()

  constructor(node_id: string | null = null, locks: NamedLocks = processLocks()) {
    this.node_id = node_id
    this.#locks = locks
  }

  /** Runs an import, or work that must not overlap one, while no other import runs in the installation. */
  duringImport<T>(work: () => Promise<T>): Promise<T> {
    return this.#locks.run(IMPORT_LOCK, async (lock) => {
      this.#import_lock = lock
      try {
        return await work()
      } finally {
        this.#import_lock = null
      }
    })
  }

  /** Within `duringImport`. @throws EvidenceError unavailable: the lock is lost, and another import may run. */
  checkImportLock(): void {
    this.#import_lock?.check()
  }

  /** Runs work now and returns true, or returns false if an import runs or waits. */
  unlessImporting(work: () => Promise<unknown>): Promise<boolean> {
    return this.#locks.tryRun(IMPORT_LOCK, work)
  }

  /** Whether an import of this process runs or waits. */
  get is_importing(): boolean {
    return this.#locks.isBusy(IMPORT_LOCK)
  }
}
