/** What proof of identities needs besides requests; both ask other servers, and rest under a simulated clock. */
import { MINUTE_MS } from '#clock.ts'
import { type FetchList, loadDueLists } from '#crawlers/identity/lists/load-lists.ts'
import { type PendingContext, provePending } from '#crawlers/identity/prove-pending-addresses.ts'
import type { Job } from './job.ts'

export interface IdentityJobsContext extends PendingContext {
  /** Null when nothing may go outside. */
  fetchList: FetchList | null
}

export const identityJobs = (ctx: IdentityJobsContext): Job[] => [
  {
    name: 'load_lists',
    // Looks often and loads each list once a day (loadDueLists).
    every_ms: 10 * MINUTE_MS,
    rests_under_simulated_clock: true,
    async run(signal) {
      if (ctx.fetchList !== null) await loadDueLists(ctx, ctx.fetchList, signal)
      await ctx.prover.refresh()
    },
  },
  {
    name: 'prove_addresses',
    every_ms: MINUTE_MS,
    rests_under_simulated_clock: true,
    run: (signal) => provePending(ctx, signal),
  },
]
