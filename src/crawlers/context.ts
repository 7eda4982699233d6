import type { ControlContext } from '#control/context.ts'
import type { DerivedDays } from '#derived/derived-days.ts'
import type { EvidenceStore } from '#evidence/store.ts'
import type { Site } from '#sites/site.ts'
import type { Prover } from './identity/prover.ts'
import type { IntakeMemory } from './intake-memory.ts'
import type { RegistryStore } from './registry/registry-store.ts'

/** The context of every operation and job on crawler evidence. */
export interface CrawlerContext extends ControlContext {
  evidence: EvidenceStore
  registries: RegistryStore
  prover: Prover
  derived: DerivedDays
  intake: IntakeMemory
  /** The clock is simulated (`--clock`): no requests to other servers, and no alerts. */
  is_clock_simulated: boolean
}

/** The context of operations on one site, which the caller may see. */
export interface SiteContext extends CrawlerContext {
  site: Site
  /** The answer is only counted in advance: its cached counts are updated once a request asks for it. */
  is_in_advance?: boolean
}
