/** Sends alerts and deletes old ones; these jobs rest under a simulated clock (rules 4, 8.6). */
import { type DeliverContext, deliverAlerts } from '#alerts/deliver.ts'
import { forgetAlerts } from '#alerts/deliveries.ts'
import { watchConditions } from '#alerts/watch-conditions.ts'
import { DAY_MS } from '#clock.ts'
import { type Job, restingJob } from './job.ts'

export const DELIVER_ALERTS = 'deliver_alerts'

/** `deliverSoon` is called after alerts that are due at once were recorded. */
export const alertJobs = (ctx: DeliverContext, deliverSoon: () => void): Job[] => [
  restingJob({
    name: 'watch_conditions',
    async run(_signal, held) {
      if ((await watchConditions(ctx, (trx) => held.check(trx))) > 0) deliverSoon()
    },
  }),
  restingJob({ name: DELIVER_ALERTS, run: (signal, held) => deliverAlerts(ctx, signal, (trx) => held.check(trx)) }),
  restingJob({ name: 'forget_alerts', every_ms: DAY_MS, run: () => forgetAlerts(ctx) }),
]
