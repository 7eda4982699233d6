import type { Clock } from '#clock.ts'
import type { ControlStore } from '#control/store.ts'
import type { DerivedDays } from '#derived/derived-days.ts'
import type { EvidenceStore } from '#evidence/store.ts'
import type { Site } from '#sites/site.ts'
import type { Prover } from './identity/prove.ts'
import type { IntakeMemory } from './intake-memory.ts'
import type { RegistryStore } from './registry/registry-store.ts'

/** What every part of the crawler pillar works with. */
export interface CrawlerContext {
  clock: Clock
  control: ControlStore
  evidence: EvidenceStore
  registries: RegistryStore
  prover: Prover
  derived: DerivedDays
  intake: IntakeMemory
}

/** The same, for one site that the caller may see. */
export interface SiteContext extends CrawlerContext {
  site: Site
}
