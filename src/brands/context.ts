import type { Clock } from '#clock.ts'
import type { QuotaStore } from '#control/quotas/quota-store.ts'
import type { ControlStore } from '#control/store.ts'
import type { EvidenceStore } from '#evidence/store.ts'

/** What surface B and its functions work with beside the caller and the brand. */
export interface AccountApiContext {
  control: ControlStore
  clock: Clock
  /** Counts the requests of accounts. */
  quotas: QuotaStore
  /** Where the answers of engines are stored. */
  evidence: EvidenceStore
}
