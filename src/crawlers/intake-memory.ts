import { JoinedBytes } from '#evidence/joined-bytes.ts'
import { PageMemory } from '#evidence/page-names.ts'
import { Mutex } from '#mutex.ts'

/** A delivery that broke off. */
export interface BrokenDelivery {
  id: string
  site_id: string
  source_id: string
}

/** What the intake of crawlers' evidence remembers as long as an installation is open. */
export class IntakeMemory {
  /** One import at a time, and nothing beside it that must not overlap one. */
  readonly imports = new Mutex()
  /** Deliveries that broke off when not even that could be written, for example because the disk was full; by id. */
  readonly left_open = new Map<string, BrokenDelivery>()
  /** Deliveries that have ended and whose staged rows could not be dropped. */
  readonly left_staged = new Set<string>()
  /** Keys of stored agents. Agents are never deleted, and a new version labels all of them, so once is enough. */
  readonly stored_agents = new Set<string>()
  /** Used by one writer of facts after the other, under the write lock. */
  readonly pages = new PageMemory()
  readonly joined = new JoinedBytes()
}
