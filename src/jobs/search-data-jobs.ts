/** Reads and deletes search data (account API 3). */
import { eraseRemovedSearchData, expireSearchData } from '#brands/search-data/expire-search-data.ts'
import { type PollSearchContext, pollSearchConnections } from '#brands/search-data/poll-connections.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#clock.ts'
import { whileClockTrusted } from '#retention/trusted-clock.ts'
import type { Job } from './job.ts'

export const POLL_SEARCH = 'poll_search_engines'

/** Jobs that read connected search engines, and delete search data of removed brands or past its retention. */
export const searchDataJobs = (ctx: PollSearchContext): Job[] => [
  {
    name: POLL_SEARCH,
    every_ms: MINUTE_MS,
    rests_under_simulated_clock: true,
    async run(signal) {
      await pollSearchConnections(ctx, signal)
    },
  },
  {
    name: 'erase_search_data',
    every_ms: HOUR_MS,
    rests_under_simulated_clock: false,
    run: () => eraseRemovedSearchData(ctx),
  },
  {
    name: 'end_search_data',
    every_ms: DAY_MS,
    rests_under_simulated_clock: true,
    run: () => whileClockTrusted(ctx, () => expireSearchData(ctx)),
  },
]
