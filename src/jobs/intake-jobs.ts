/** Marks silent sources, and deletes old answers and senders (rules 3, 4). */
import { HOUR_MS, MINUTE_MS } from '#clock.ts'
import type { CrawlerContext } from '#crawlers/context.ts'
import { markSilentSources, tidyIntake } from '#intake/batches/silent-sources.ts'
import type { Job } from './job.ts'

/** Jobs that mark silent sources and delete what intake no longer needs. */
export const intakeJobs = (ctx: CrawlerContext): Job[] => [
  {
    name: 'note_silence',
    every_ms: MINUTE_MS,
    rests_under_simulated_clock: false,
    run: () => markSilentSources(ctx),
  },
  {
    name: 'tidy_intake',
    every_ms: HOUR_MS,
    rests_under_simulated_clock: true,
    run: () => tidyIntake(ctx),
  },
]
