/** The jobs that bring evidence in from outside and prove it: leased, because their work lies in the control store (rules 3, 4). */
import { MINUTE_MS } from '#clock.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import { type FetchList, loadDueLists } from '#crawlers/identity/lists/load.ts'
import { provePending } from '#crawlers/identity/prove-pending.ts'
import type { NameServers } from '#crawlers/identity/reverse-dns.ts'
import { clearReadings } from '#intake/cloudflare/clear-readings.ts'
import type { CloudflareAccess } from '#intake/cloudflare/context.ts'
import { pollZones } from '#intake/cloudflare/poll.ts'
import { noteSilentSources, tidyIntake } from '#intake/http/silence.ts'
import type { Job } from './job.ts'

export interface EvidenceJobsContext extends CrawlerContext {
  cloudflare: CloudflareAccess
  fetchList: FetchList
  name_servers: NameServers
}

export const POLL_ZONES = 'poll_zones'

export const evidenceJobs = (ctx: EvidenceJobsContext): Job[] => [
  {
    name: POLL_ZONES,
    every_ms: MINUTE_MS,
    // A backfill reads as many hours as one run allows, and the next run goes on.
    limit_ms: 10 * MINUTE_MS,
    rests_under_simulated_clock: true,
    run: (signal) => pollZones(ctx, signal),
  },
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
    name: 'clear_readings',
    every_ms: 10 * MINUTE_MS,
    rests_under_simulated_clock: true,
    run: () => clearReadings(ctx),
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
