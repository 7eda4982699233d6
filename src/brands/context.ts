import type { QuotaStore } from '#control/quotas/quota-store.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import type { KeyedBatches } from './questions/keyed-batches.ts'

/** The context of surface B and its functions, besides the caller and the brand. */
export interface AccountApiContext extends CrawlerContext {
  /** Counts the requests of accounts. */
  quotas: QuotaStore
  keyed_batches: KeyedBatches
}
