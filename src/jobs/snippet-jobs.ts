/** Inspects home pages for the tracker's snippet daily; rests under a simulated clock (rules 6). */
import { HOUR_MS } from '#clock.ts'
import { type InspectionContext, inspectSnippets } from '#tracker/coverage/inspect-snippets.ts'
import { type Job, restingJob } from './job.ts'

/** The job that inspects home pages for the tracker’s snippet. */
export const snippetJobs = (ctx: InspectionContext): Job[] => [
  restingJob({
    name: 'inspect_snippets',
    // Finds due sites: a site with the snippet is inspected once a day, any other every six hours.
    every_ms: HOUR_MS,
    run: (signal) => inspectSnippets(ctx, signal),
  }),
]
