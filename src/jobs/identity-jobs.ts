/** Load published lists and use reverse DNS, to prove identities. Neither job runs under a simulated clock. */
import { MINUTE_MS } from '#clock.ts'
import { type FetchList, loadDueLists } from '#crawlers/identity/lists/load-lists.ts'
import { type PendingContext, provePending } from '#crawlers/identity/prove-pending-addresses.ts'
import { type Job, restingJob } from './job.ts'

export interface IdentityJobsContext extends PendingContext {
  /** Null if Spoor may not send requests to other servers. */
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
  // Pending addresses, and answers to them, are in the memory of the process that received their requests.
  restingJob({ name: 'prove_addresses', runs_on_each_node: true, run: (signal) => provePending(ctx, signal) }),
]
