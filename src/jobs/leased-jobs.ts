/** Jobs on the control store alone, which any process may run, one at a time. */

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
