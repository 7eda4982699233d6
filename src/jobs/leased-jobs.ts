/**
 * The jobs that any process may run and one at a time does. What works on the embedded evidence is not among them: its
 * folder has one holder already, and `folder-jobs.ts` does that work piece by piece.
 */

import { forgetExpiredLinks } from '#accounts/one-time-links.ts'
import { forgetExpiredSessions } from '#accounts/sessions.ts'
import { forgetTries } from '#accounts/sign-in-tries.ts'
import { DAY_MS, MINUTE_MS } from '#clock.ts'
import type { ControlContext } from '#control/context.ts'
import type { Job } from './job.ts'

/** Jobs that delete expired links, sessions and counts of sign-in attempts. */
export const leasedJobs = (ctx: ControlContext): Job[] => [
  {
    name: 'forget_links',
    every_ms: DAY_MS,
    rests_under_simulated_clock: true,
    run: () => forgetExpiredLinks(ctx),
  },
  {
    name: 'forget_sessions',
    every_ms: DAY_MS,
    rests_under_simulated_clock: true,
    run: () => forgetExpiredSessions(ctx),
  },
  {
    name: 'forget_tries',
    every_ms: 10 * MINUTE_MS,
    rests_under_simulated_clock: true,
    run: () => forgetTries(ctx),
  },
]
