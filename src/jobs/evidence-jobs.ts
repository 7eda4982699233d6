/** The jobs that judge what came in: published lists, names of addresses, sources that fell silent (rules 3, 4). */
import { MINUTE_MS } from '#clock.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import { type FetchList, loadDueLists } from '#crawlers/identity/lists/load.ts'
import { provePending } from '#crawlers/identity/prove-pending.ts'
import type { NameServers } from '#crawlers/identity/reverse-dns.ts'
import { noteSilentSources, tidyIntake } from '#intake/http/silence.ts'
import type { Job } from './job.ts'

export interface EvidenceJobsContext extends CrawlerContext {
  fetchList: FetchList
  name_servers: NameServers
}

export const evidenceJobs = (ctx: EvidenceJobsContext): Job[] => [
  {
    name: 'load_lists',
    every_ms: 10 * MINUTE_MS,
    rests_under_simulated_clock: true,
    run: (signal) => loadDueLists(ctx, ctx.fetchList, signal),
  },
  {
    name: 'prove_addresses',
    every_ms: MINUTE_MS,
    rests_under_simulated_clock: true,
    run: (signal) => provePending(ctx, signal),
  },
  {
    name: 'note_silence',
    every_ms: MINUTE_MS,
    rests_under_simulated_clock: false,
    run: () => noteSilentSources(ctx),
  },
  {
    name: 'tidy_intake',
    every_ms: 60 * MINUTE_MS,
    rests_under_simulated_clock: true,
    run: () => tidyIntake(ctx),
  },
]
