import type { ControlContext } from '#control/context.ts'
import type { DerivedDays } from '#derived/derived-days.ts'
import type { EvidenceStore } from '#evidence/store.ts'
import type { Site } from '#sites/site.ts'
import type { Prover } from './identity/prover.ts'
import type { IntakeMemory } from './intake-memory.ts'
import type { RegistryStore } from './registry/registry-store.ts'

/** What every part of the crawler pillar works with. */
export interface CrawlerContext extends ControlContext {
  evidence: EvidenceStore
  registries: RegistryStore
  prover: Prover
  derived: DerivedDays
  intake: IntakeMemory
  /** The clock does not show the machine's time: nothing goes outside, and nothing is alerted of. */
  is_clock_simulated: boolean
}

/** The same, for one site that the caller may see. */
export interface SiteContext extends CrawlerContext {
  site: Site
  /** The answer is only counted in advance: what is kept of it is updated once a request asks for it. */
  is_in_advance?: boolean
}
