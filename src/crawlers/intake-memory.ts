import { JoinedBytes } from '#evidence/joined-bytes.ts'
import { PageMemory } from '#evidence/page-names.ts'
import { IMPORTS, ownTurns, type Turns } from '#evidence/turns.ts'

/** A delivery that broke off. */
export interface BrokenDelivery {
  id: string
  site_id: string
  source_id: string
}

/** What the intake of crawlers' evidence remembers as long as an installation is open. */
export class IntakeMemory {
  /** Which node this is; null where one service has the evidence to itself. */
  readonly node_id: string | null
  readonly #turns: Turns
  /** Deliveries that broke off when not even that could be written, for example because the disk was full; by id. */
  readonly left_open = new Map<string, BrokenDelivery>()
  /** Deliveries that have ended and whose staged rows could not be dropped. */
  readonly left_staged = new Set<string>()
  /** Keys of stored agents. Agents are never deleted, and a new version labels all of them, so once is enough. */
  readonly stored_agents = new Set<string>()
  /** Used by one writer of facts after the other, under the write lock. */
  readonly pages = new PageMemory()
  readonly joined = new JoinedBytes()

  constructor(node_id: string | null = null, turns: Turns = ownTurns()) {
    this.node_id = node_id
    this.#turns = turns
  }

  /** One import at a time in the whole installation, and nothing beside it that must not overlap one. */
  duringImport<T>(work: () => Promise<T>): Promise<T> {
    return this.#turns.run(IMPORTS, work)
  }

  /** The same at once, unless an import runs or waits: then false. */
  unlessImporting(work: () => Promise<unknown>): Promise<boolean> {
    return this.#turns.tryRun(IMPORTS, work)
  }

  /** True while an import of this process runs or waits. */
  get is_importing(): boolean {
    return this.#turns.isBusy(IMPORTS)
  }
}
