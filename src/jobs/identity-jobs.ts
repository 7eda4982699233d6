/** Loads lists and asks reverse DNS, to prove identities. Both jobs rest under a simulated clock. */
import { MINUTE_MS } from '#clock.ts'
import { type FetchList, loadDueLists } from '#crawlers/identity/lists/load-lists.ts'
import { type PendingContext, provePending } from '#crawlers/identity/prove-pending-addresses.ts'
import { type Job, restingJob } from './job.ts'

export interface IdentityJobsContext extends PendingContext {
  /** Null when nothing may go outside. */
  fetchList: FetchList | null
}

/** Jobs that load published lists and prove the addresses that wait for reverse DNS. */
export const identityJobs = (ctx: IdentityJobsContext): Job[] => [
  restingJob({
    name: 'load_lists',
    // Each list is loaded once a day (loadDueLists).
    every_ms: 10 * MINUTE_MS,
    async run(signal) {
      if (ctx.fetchList !== null) await loadDueLists(ctx, ctx.fetchList, signal)
      await ctx.prover.refresh()
    },
  }),
  restingJob({ name: 'prove_addresses', run: (signal) => provePending(ctx, signal) }),
]
